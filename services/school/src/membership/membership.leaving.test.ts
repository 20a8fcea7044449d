import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { trustState } from '@lyceum/oauth';
import type { Role } from '@lyceum/contracts';
import { until } from '@lyceum/testkit';
import { type Members, type TestCaller, startMembers } from '../testing/members.ts';
import { startSchools } from '../testing/school-service.ts';

const [minute, day] = [60_000, 24 * 3_600_000];

let all: Members;
beforeEach(async () => {
  all = await startMembers();
});
afterEach(() => all.close());

const path = '/api/account/erasure';
const at = (method: string, as: TestCaller = 'member', subject?: string) =>
  all.call(method, path, { as, ...(subject === undefined ? {} : { subject }) });
const mailsTo = (role: string) => all.mail.sent.filter(({ to }) => to === `${role}@loom.example`);
const statusOf = async (id: string) => (await all.call('GET', `/api/members/${id}`)).body.status;

describe('erasure by oneself', () => {
  test('waits for fourteen days, of which the person is told, then erases the member and says so', async () => {
    expect((await at('GET')).body).toMatchObject({ status: 'none', requested_at: null, erases_at: null });
    const asked = await at('POST');
    expect([asked.status, asked.headers.get('location'), asked.body]).toEqual([
      202,
      path,
      {
        object: 'erasure',
        view: 'member',
        status: 'pending',
        requested_at: '2026-01-05T08:00:00.000Z',
        erases_at: '2026-01-19T08:00:00.000Z',
      },
    ]);
    await until(() => mailsTo('member').length === 1);
    expect(mailsTo('member')[0]!.text).toContain('2026-01-19 08:00');
    all.on.clock.advance(day);
    expect((await at('POST')).body).toEqual(asked.body);
    all.on.clock.advance(12 * day);
    expect([await statusOf(all.people.member), mailsTo('member').length]).toEqual(['active', 1]);
    all.on.clock.advance(day + 1);
    await until(() => all.erased.includes(all.people.member));
    expect(await statusOf(all.people.member)).toBe('erased');
    expect(mailsTo('member').map(({ subject }) => subject)).toEqual([
      'Your account at Loom will be erased',
      'Your account at Loom is erased',
    ]);
    expect((await at('GET')).status).toBe(401);
    expect(all.erased).toEqual([all.people.member]);
  });

  test('is cancelled in time, and then nothing happens; asked for again it waits anew', async () => {
    await at('POST');
    await until(() => mailsTo('member').length === 1);
    all.on.clock.advance(13 * day);
    expect((await at('DELETE')).status).toBe(204);
    const again = await at('DELETE');
    expect([again.status, again.body.error]).toEqual([404, 'not_found']);
    all.on.clock.advance(2 * day);
    expect((await at('POST')).body.erases_at).toBe('2026-02-03T08:00:00.000Z');
    all.on.clock.advance(13 * day);
    await until(() => mailsTo('member').length === 2);
    expect([await statusOf(all.people.member), all.erased]).toEqual(['active', []]);
  });

  test('of the last owner is refused, and not done when somebody became that meanwhile', async () => {
    const refused = await at('POST', 'owner');
    expect([refused.status, refused.body.error]).toEqual([409, 'last_owner']);
    const { admin, owner } = all.people;
    const role = (id: string, to: Role) => all.call('PUT', `/api/members/${id}/role`, { body: { role: to } });
    expect((await role(admin, 'owner')).status).toBe(200);
    expect((await at('POST', 'owner')).status).toBe(202);
    expect((await role(admin, 'admin')).status).toBe(200);
    all.on.clock.advance(14 * day + 1);
    await until(async () => (await at('GET', 'owner')).body.status === 'none');
    expect([await statusOf(owner), all.erased]).toEqual(['active', []]);
    expect(mailsTo('owner').map(({ subject }) => subject)).toEqual(['Your account at Loom will be erased']);
  });

  test('asked for ten times at once is one request and one mail', async () => {
    const all10 = await Promise.all(Array.from({ length: 10 }, () => at('POST')));
    expect(new Set(all10.map(({ status, body }) => `${status} ${body.erases_at}`)).size).toBe(1);
    await until(() => mailsTo('member').length === 1);
    await all.settled();
    expect(mailsTo('member')).toHaveLength(1);
  });

  test('goes on where it was after a restart, also when it became due in between', async () => {
    await at('POST');
    await until(() => mailsTo('member').length === 1);
    await all.schools.close();
    all.on.clock.advance(20 * day);
    const erased: string[] = [];
    const schools = await startSchools(all.on, trustState(all.on.clock), {
      mail: all.mail,
      erase: async (_, subject) => void erased.push(subject),
    });
    try {
      await until(() => erased.includes(all.people.member));
      expect(mailsTo('member')).toHaveLength(2);
    } finally {
      await schools.close();
    }
  });

  test('waits for its last mail for a day, and no longer', async () => {
    await at('POST');
    await until(() => mailsTo('member').length === 1);
    all.mail.failNext(1_000_000);
    all.on.clock.advance(14 * day + 1);
    await until(async () => (await at('GET')).body.status === 'begun');
    const late = await at('DELETE');
    expect([late.status, late.body.error]).toEqual([409, 'invalid_state']);
    expect(await statusOf(all.people.member)).toBe('active');
    for (let quarters = 0; quarters < 100 && all.erased.length === 0; quarters += 1) {
      all.on.clock.advance(60 * minute);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await until(() => all.erased.includes(all.people.member));
    expect(mailsTo('member')).toHaveLength(1);
  });
});

const callers = ['visitor', 'other school', 'member', 'lecturer', 'admin', 'owner'] as const;
const refused = { visitor: 'access_denied', 'other school': 'invalid_token' } as const;

describe('who may do it', () => {
  test.each([
    ['GET', { ...refused, member: 200, lecturer: 200, admin: 200, owner: 200 }],
    ['POST', { ...refused, member: 202, lecturer: 202, admin: 202, owner: 'last_owner' }],
    ['DELETE', { ...refused, member: 404, lecturer: 404, admin: 404, owner: 404 }],
  ] as const)('%s', async (method, expected) => {
    for (const as of callers) {
      const { status, body } = await at(method, as);
      const wanted = expected[as];
      expect([as, typeof wanted === 'number' ? status : body.error]).toEqual([as, wanted]);
    }
  });

  test('a token of another school that bears the same id neither asks nor cancels', async () => {
    await at('POST', 'other school');
    expect((await at('GET')).body.status).toBe('none');
    await at('POST');
    await at('DELETE', 'other school');
    expect((await at('GET')).body.status).toBe('pending');
  });

  test('each person asks for their own erasure only', async () => {
    await at('POST', 'member');
    expect((await at('GET', 'lecturer')).body.status).toBe('none');
    expect((await at('DELETE', 'lecturer')).status).toBe(404);
    expect((await at('GET', 'member')).body.status).toBe('pending');
  });
});
