import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { disagreements } from '@lyceum/web';
import { type Calendar, memberToken, startCalendar } from '../testing/calendar.ts';
import { eventRejections } from './calendar-event.resource.ts';

let calendar: Calendar;
beforeAll(async () => void (calendar = await startCalendar()));
afterAll(() => calendar.close());

const path = '/api/events';
const scopes = ['events:read', 'events:write'] as const;
const lecturer = (name: string): TokenClaims => ({ role: 'lecturer', subject: `account_${name}`, scopes: [...scopes] });

describe('events', () => {
  test('reject with the statuses of the error table', () => expect(disagreements(eventRejections)).toEqual([]));

  test('are kept in UTC, shown with their time zone, and move with a redirect', async () => {
    const made = await calendar.draft({
      title: 'Zoë’s evening',
      starts_at: '2026-03-29T02:30:00+01:00',
      ends_at: '2026-03-29T04:00:00+02:00',
      timezone: 'Europe/Berlin',
    });
    expect(made).toMatchObject({
      object: 'event',
      slug: 'zoes-evening',
      starts_at: '2026-03-29T01:30:00.000Z',
      ends_at: '2026-03-29T02:00:00.000Z',
      timezone: 'Europe/Berlin',
      status: 'draft',
      capacity: null,
      price: null,
      registration: 'closed',
    });
    const changed = await calendar.call('PATCH', `${path}/${made.id}`, { body: { slug: 'evening' } });
    expect([changed.status, changed.body.slug]).toEqual([200, 'evening']);
    const old = await calendar.call('GET', `${path}/zoes-evening`);
    expect([old.status, old.headers.get('location')]).toEqual([308, `${path}/evening`]);
    expect((await calendar.draft()).timezone).toBe('UTC');
  });

  test('cost what is said in the currency of the school, and nothing when that is nothing', async () => {
    const { id, price } = await calendar.draft({ price: { amount: 1_500 } });
    expect(price).toEqual({ amount: 1_500, currency: 'USD' });
    const patch = (body: object) => calendar.call('PATCH', `${path}/${id}`, { body });
    expect((await patch({ price: { amount: 1, currency: 'EUR' } })).body.details).toMatchObject([
      { path: 'price.currency', code: 'currency_mismatch' },
    ]);
    expect((await patch({ price: { amount: 0 } })).body.price).toBeNull();
    expect((await patch({ price: null })).status).toBe(200);
  });

  test('end by themselves, and are canceled to be seen', async () => {
    const own = await startCalendar();
    try {
      const one = await own.event({ starts_at: own.inHours(1), ends_at: own.inHours(2) });
      const two = await own.event({ starts_at: own.inHours(1), ends_at: own.inHours(9) });
      const off = await own.event();
      await own.call('POST', `${path}/${off.id}/cancel`, { body: { note: 'Ill' } });
      own.clock.advance(3 * 3_600_000);
      await own.settled();
      const read = async (id: string) => (await own.call('GET', `${path}/${id}`, { as: 'anonymous' })).body;
      expect([(await read(one.id)).status, (await read(one.id)).registration]).toEqual(['ended', 'closed']);
      expect((await read(two.id)).status).toBe('published');
      expect(await read(off.id)).toMatchObject({ status: 'canceled', cancel_note: 'Ill', registration: 'closed' });
      const listed = async (query: string) =>
        (await own.call('GET', `${path}?${query}`, { as: 'anonymous' })).body.data.map(({ id }: { id: string }) => id);
      expect(await listed('')).toEqual([one.id, two.id]);
      expect(await listed('status=ended')).toEqual([one.id]);
      expect(await listed('status=published')).toEqual([two.id]);
      expect(await listed('status=canceled')).toEqual([off.id]);
      expect(await listed(`from=${own.inHours(0)}`)).toEqual([two.id]);
      expect(await listed(`to=${own.inHours(-2)}`)).toEqual([]);
      expect(await listed('q=lant&sort=-starts_at')).toHaveLength(2);
      expect((await own.call('POST', `${path}/${one.id}/cancel`)).body.error).toBe('invalid_state');
    } finally {
      await own.close();
    }
  });

  test('show where to take part to those who have a seat, and to the staff only', async () => {
    const join_url = 'https://meet.example.org/x';
    const { id } = await calendar.event({ join_url, capacity: 1 });
    await calendar.register(id, memberToken('ada'));
    await calendar.register(id, memberToken('ben'));
    const read = async (as: TokenClaims | 'anonymous') => (await calendar.call('GET', `${path}/${id}`, { as })).body;
    expect(await read(memberToken('ada'))).toMatchObject({ join_url, own_registration: { status: 'confirmed' } });
    expect(await read(memberToken('ben'))).toMatchObject({
      own_registration: { status: 'waitlisted' },
      view: 'member',
    });
    expect(await read(memberToken('cleo'))).toMatchObject({ own_registration: null });
    expect(await read({ role: 'owner', subject: 'acc_1' })).toMatchObject({ join_url, capacity: 1, seats_taken: 1 });
    for (const as of [memberToken('ben'), memberToken('cleo'), 'anonymous', lecturer('ed')] as const) {
      const body = await read(as);
      expect(['join_url', 'materials', 'capacity', 'seats_taken', 'waitlist'].filter((name) => name in body)).toEqual(
        [],
      );
      expect([body.seats, body.registration]).toEqual(['none', 'waitlist']);
    }
  });

  test.each([
    ['owner', { role: 'owner', subject: 'account_o', scopes: [...scopes] }, 201, 200, true],
    ['admin', { role: 'admin', subject: 'account_a', scopes: [...scopes] }, 201, 200, true],
    ['lecturer', lecturer('ed'), 201, 403, false],
    ['member', { role: 'member', subject: 'account_m', scopes: ['events:read'] }, 403, 403, false],
  ] as const)(
    'are made, changed and seen as drafts by %s as their role says',
    async (_, claims, makes, changes, sees) => {
      const as: TokenClaims = { ...claims, scopes: [...(claims.scopes ?? [])] };
      const body = { title: 'Theirs', starts_at: calendar.inHours(5), ends_at: calendar.inHours(6) };
      expect((await calendar.call('POST', path, { as, body })).status).toBe(makes);
      const { id } = await calendar.event();
      expect((await calendar.call('PATCH', `${path}/${id}`, { as, body: { title: 'x' } })).status).toBe(changes);
      expect((await calendar.call('POST', `${path}/${id}/cancel`, { as })).status).toBe(changes);
      const draft = await calendar.draft();
      expect((await calendar.call('GET', `${path}/${draft.id}`, { as })).status).toBe(sees ? 200 : 404);
      expect((await calendar.call('DELETE', `${path}/${draft.id}`, { as })).status).toBe(
        sees ? 204 : makes === 403 ? 403 : 404,
      );
    },
  );

  test('are nobody’s of another school, nor without a token to change', async () => {
    const { id } = await calendar.event();
    expect((await calendar.call('GET', `${path}/${id}`, { school: 'school_2' })).status).toBe(404);
    expect((await calendar.call('PATCH', `${path}/${id}`, { as: 'anonymous', body: {} })).body.error).toBe(
      'access_denied',
    );
    const onlyReads = { role: 'owner', subject: 'acc_1', scopes: ['events:read'] } as const;
    expect(
      (await calendar.call('POST', `${path}/${id}/cancel`, { as: { ...onlyReads, scopes: ['events:read'] } })).body
        .error,
    ).toBe('insufficient_scope');
  });

  test.each([
    [{ title: '' }],
    [{ title: 'x', timezone: 'Mars/Olympus' }],
    [{ title: 'x', capacity: 0 }],
    [{ title: 'x', capacity: 1.5 }],
    [{ title: 'x', capacity: 100_001 }],
    [{ title: 'x', starts_at: '2026-01-01' }],
    [{ title: 'x', starts_at: '2026-01-01T10:00:00' }],
    [{ title: 'x', join_url: 'javascript:alert(1)' }],
    [{ title: 'x', join_url: 'http://x.test' }],
    [{ title: 'x', price: { amount: -1 } }],
    [{ title: 'x', venue: { name: '' } }],
    [{ title: 'x', lecturer_ids: Array.from({ length: 11 }, (_, at) => `lecturer_${at}`) }],
    [{ title: 'x', unknown: 1 }],
  ])('are not made of %j', async (said) => {
    const body = { starts_at: calendar.inHours(5), ends_at: calendar.inHours(6), ...said };
    expect((await calendar.call('POST', path, { body })).status).toBe(422);
  });

  test('of a version that has changed are not changed by If-Match', async () => {
    const { id } = await calendar.draft();
    const headers = { 'if-match': '"9"' };
    const got = await calendar.call('PATCH', `${path}/${id}`, { body: { title: 'x' }, headers });
    expect(got.body.error).toBe('precondition_failed');
  });
});
