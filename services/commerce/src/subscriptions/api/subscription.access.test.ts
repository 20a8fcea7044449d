import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { memberToken } from '../../testing/selling.ts';
import { type Subscribers, staffToken, startSubscribers } from '../../testing/subscribers.ts';

let school: Subscribers;
let plan: string;
let count = 0;
beforeAll(async () => {
  school = await startSubscribers();
  // It costs nothing, so that what is given can be changed to it.
  plan = await school.plan({ price: { amount: 0 } });
});
afterAll(() => school.close());

/** Everybody who may ask. `holder`: whose subscription it is. */
const callers = ['nobody', 'member', 'holder', 'lecturer', 'admin', 'narrow admin', 'owner', 'other school'] as const;
type Caller = (typeof callers)[number];

const staffScopes = ['subscriptions:read', 'subscriptions:write', 'account:read', 'account:write'] as const;

function tokenOf(caller: Caller, holder: string): TokenClaims | 'anonymous' {
  switch (caller) {
    case 'nobody':
      return 'anonymous';
    case 'member':
      return memberToken('somebody');
    case 'holder':
      return memberToken(holder);
    case 'lecturer':
    case 'admin':
    case 'owner':
      return staffToken(caller, staffScopes);
    case 'narrow admin':
      return staffToken('admin', ['orders:read']);
    case 'other school':
      return staffToken('owner', staffScopes);
  }
}

/** An operation by its method and path, with a body that it takes; and what each caller gets, in the order of `callers`. */
type Row = readonly [method: string, path: string, body: object | undefined, statuses: readonly (number | string)[]];

const staffWrite = [403, 403, 403, 403, 200, 403, 200, 404];
const rows: readonly Row[] = [
  // Who reads without a token, or in another school, finds nothing.
  ['GET', '/api/subscriptions', undefined, ['empty', 403, 403, 403, 200, 403, 200, 'empty']],
  ['GET', '/api/subscriptions/{id}', undefined, [404, 403, 403, 403, 200, 403, 200, 404]],
  [
    'POST',
    '/api/subscriptions',
    { member_id: 'account_{new}', plan_id: '{plan}' },
    [403, 403, 403, 403, 201, 403, 201, 422],
  ],
  ['POST', '/api/subscriptions/{id}/cancel', {}, staffWrite],
  ['POST', '/api/subscriptions/{id}/resume', undefined, staffWrite],
  ['POST', '/api/subscriptions/{id}/pause', undefined, staffWrite],
  ['POST', '/api/subscriptions/{id}/extend', { days: 1 }, staffWrite],
  ['POST', '/api/subscriptions/{id}/change-plan', { plan_id: '{plan}' }, staffWrite],
  ['POST', '/api/subscriptions/{id}/change-plan/quotes', { plan_id: '{plan}' }, staffWrite],
  ['GET', '/api/account/subscriptions', undefined, [403, 'empty', 200, 'empty', 'empty', 403, 'empty', 'empty']],
  ['GET', '/api/account/subscriptions/{id}', undefined, [403, 404, 200, 404, 404, 403, 404, 404]],
  ['POST', '/api/account/subscriptions/{id}/cancel', {}, [403, 404, 200, 404, 404, 403, 404, 404]],
  ['POST', '/api/account/subscriptions/{id}/resume', undefined, [403, 404, 200, 404, 404, 403, 404, 404]],
];

const cases = rows.flatMap(([method, path, body, statuses]) =>
  callers.map((caller, index) => [caller, method, path, body, statuses[index]] as const),
);

describe('who may do what with subscriptions', () => {
  test.each(cases)('%s: %s %s', async (caller, method, path, body, expected) => {
    const holder = `holder_${(count += 1)}`;
    const id = await school.given(holder, plan);
    await school.settled();
    const before = await school.read(id);
    const filled = (text: string) => text.replace('{id}', id).replace('{plan}', plan).replace('{new}', `new_${count}`);
    const got = await school.call(method, filled(path), {
      as: tokenOf(caller, holder),
      ...(method === 'POST' ? { headers: { 'idempotency-key': `access-${count}` } } : {}),
      ...(caller === 'other school' ? { school: 'school_2' } : {}),
      ...(body ? { body: JSON.parse(filled(JSON.stringify(body))) } : {}),
    });
    const isEmpty = got.status === 200 && got.body.data?.length === 0;
    expect([isEmpty ? 'empty' : got.status, got.body.error]).toEqual([
      expected,
      Number(expected) >= 400 ? expect.any(String) : undefined,
    ]);
    // Who is refused changes nothing.
    if (Number(expected) >= 400) expect(await school.read(id)).toEqual(before);
    if (caller === 'narrow admin') expect(got.body.error).toBe('insufficient_scope');
  });
});
