import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Role } from '@lyceum/contracts';
import { type TestSchool, testSchool } from '@lyceum/oauth/testing';
import { trustState } from '@lyceum/oauth';
import { type Schools, engines, startSchools } from '../testing/school-service.ts';

let schools: Schools;
let here: { readonly id: string; readonly keys: TestSchool };
let elsewhere: typeof here;
beforeAll(async () => {
  const on = engines();
  const trust = trustState(on.clock);
  schools = await startSchools(on, trust);
  const provision = async (slug: string) => {
    const base_url = `https://${slug}.example`;
    const place = { slug, name: slug, host: `${slug}.example`, base_url };
    const { body } = await schools.operate('POST', {
      ...place,
      currency: 'EUR',
      timezone: 'Europe/Lisbon',
      locale: 'en',
    });
    const id = body.id as string;
    return { id, keys: await testSchool({ clock: on.clock, id, issuer: base_url, trust }) };
  };
  [here, elsewhere] = [await provision('loom'), await provision('kiln')];
});
afterAll(() => schools.close());

const callers = ['anonymous', 'member', 'lecturer', 'without the scope', 'other school', 'admin', 'owner'] as const;
type Caller = (typeof callers)[number];

async function token(caller: Caller): Promise<string | undefined> {
  if (caller === 'anonymous') return undefined;
  if (caller === 'other school') return elsewhere.keys.token({ role: 'owner' });
  if (caller === 'without the scope') return here.keys.token({ role: 'owner', scopes: ['courses:write'] });
  return here.keys.token({ role: caller as Role });
}

const refused = {
  anonymous: 'access_denied',
  member: 'access_denied',
  lecturer: 'access_denied',
  'without the scope': 'insufficient_scope',
  'other school': 'invalid_token',
} as const;

/** Every operation on the school itself, and what comes of it for whom; nothing of it changes anything for the next. */
const table: readonly [string, string, object | undefined, Readonly<Record<Caller, number | string>>][] = [
  ['GET', '/api/school', undefined, { ...refused, anonymous: 200, member: 200, lecturer: 200, admin: 200, owner: 200 }],
  ['PATCH', '/api/school', { tagline: null }, { ...refused, admin: 200, owner: 200 }],
  ['PATCH', '/api/school', { currency: 'CHF' }, { ...refused, admin: 'access_denied', owner: 200 }],
  ['PUT', '/api/school/sign_up', { sign_up: 'invited' }, { ...refused, admin: 200, owner: 200 }],
  ['POST', '/api/school/close', { slug: 'loom' }, { ...refused, admin: 'access_denied', owner: 200 }],
];

describe('who may do what with a school', () => {
  test.each(
    table.flatMap(([method, path, body, expected]) =>
      callers.map((caller) => [method, path, JSON.stringify(body), caller, expected[caller], body] as const),
    ),
  )('%s %s %s by %s: %s', async (method, path, _text, caller, expected, body) => {
    const sent = { school: here.id, token: await token(caller), ...(body ? { body } : {}) };
    const { status, body: got } = await schools.call(method, path, sent);
    expect(got.error ?? status).toBe(expected);
  });
});
