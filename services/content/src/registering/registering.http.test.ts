import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { found, until } from '@lyceum/testkit';
import { disagreements } from '@lyceum/web';
import { type Calendar, memberToken, startCalendar } from '../testing/calendar.ts';
import { registrationRejections } from './registration.write.ts';

let calendar: Calendar;
beforeAll(async () => void (calendar = await startCalendar()));
afterAll(() => calendar.close());

const guest = (name: string) => ({ email: `${name}@guests.test`, name });
const statusesOf = (all: readonly { readonly status: string }[]) => all.map(({ status }) => status);

/** The member’s own registration, once it is so. */
const ownOnce = (id: string, name: string, status: string) =>
  found(async () => {
    const { body } = await calendar.call('GET', `/api/account/registrations/${id}`, { as: memberToken(name) });
    return body.status === status ? body : undefined;
  }, `that ${id} is ${status}`);

describe('registrations for events that cost nothing', () => {
  test('reject with the statuses of the error table', () => expect(disagreements(registrationRejections)).toEqual([]));

  test('are confirmed in the answer, and once for each person', async () => {
    const { id } = await calendar.event({ capacity: 5 });
    const got = await calendar.register(id, memberToken('ada'));
    expect([got.status, got.body.status, got.body.waitlist_position]).toEqual([201, 'confirmed', null]);
    const again = await calendar.register(id, memberToken('ada'));
    expect([again.status, again.body.id]).toEqual([200, got.body.id]);
    const rita = await calendar.register(id, 'anonymous', guest('rita'));
    expect([rita.status, rita.body.status]).toEqual([201, 'confirmed']);
    expect((await calendar.register(id, 'anonymous', { email: 'RITA@guests.test' })).body.id).toBe(rita.body.id);
    const all = await calendar.attendees(id, (found) => statusesOf(found).join() === 'confirmed,confirmed');
    expect(all.map(({ name, email }) => [name, email])).toEqual([
      ['Name of account_ada', 'account_ada@example.org'],
      ['rita', 'rita@guests.test'],
    ]);
    expect(calendar.seats.taken(id)).toBe(2);
  });

  test('wait in the order in which they came, and the first gets the seat that is free', async () => {
    const { id } = await calendar.event({ capacity: 1 });
    const first = await calendar.register(id, memberToken('ada'));
    const second = await calendar.register(id, memberToken('ben'));
    const third = await calendar.register(id, 'anonymous', guest('cleo'));
    expect([second.status, second.body.status, second.body.waitlist_position]).toEqual([201, 'waitlisted', 1]);
    expect([third.body.status, third.body.waitlist_position]).toEqual(['waitlisted', 2]);
    const { status, body } = await calendar.call('POST', `/api/account/registrations/${first.body.id}/cancel`, {
      as: memberToken('ada'),
    });
    expect([status, body.status, body.cancellation]).toEqual([200, 'canceled', 'self']);
    await ownOnce(second.body.id, 'ben', 'confirmed');
    const all = await calendar.attendees(id, (found) => statusesOf(found).includes('confirmed'));
    expect(statusesOf(all)).toEqual(['canceled', 'confirmed', 'waitlisted']);
    // Whoever registers again waits behind the others.
    const again = await calendar.register(id, memberToken('ada'));
    expect([again.body.id, again.body.status, again.body.waitlist_position]).toEqual([first.body.id, 'waitlisted', 2]);
  });

  test('get the seats of a larger capacity, and of none', async () => {
    const { id } = await calendar.event({ capacity: 1 });
    for (const name of ['a', 'b', 'c', 'd']) await calendar.register(id, memberToken(name));
    await calendar.call('PATCH', `/api/events/${id}`, { body: { capacity: 2 } });
    await calendar.attendees(id, (all) => statusesOf(all).join() === 'confirmed,confirmed,waitlisted,waitlisted');
    const below = await calendar.call('PATCH', `/api/events/${id}`, { body: { capacity: 1 } });
    expect([below.status, below.body.error]).toEqual([409, 'capacity_below_confirmed']);
    await calendar.call('PATCH', `/api/events/${id}`, { body: { capacity: null } });
    await calendar.attendees(id, (all) => statusesOf(all).every((status) => status === 'confirmed'));
  });

  test('wait for nothing any more once the event has begun', async () => {
    const { id } = await calendar.event({ capacity: 1, starts_at: calendar.inHours(1), ends_at: calendar.inHours(3) });
    for (const name of ['a', 'b']) await calendar.register(id, memberToken(name));
    const [seated] = await calendar.attendees(id, (all) => statusesOf(all).join() === 'confirmed,waitlisted');
    calendar.clock.advance(2 * 3_600_000);
    await calendar.call('POST', `/api/events/${id}/registrations/${seated.id}/cancel`);
    await calendar.attendees(id, (all) => statusesOf(all).join() === 'canceled,waitlisted');
    await new Promise((resolve) => setTimeout(resolve, 200));
    await calendar.attendees(id, (all) => statusesOf(all).join() === 'canceled,waitlisted');
    expect(calendar.seats.taken(id)).toBe(0);
  });

  test('that nobody counted are counted once there is a limit, which is not below them', async () => {
    const { id } = await calendar.event();
    for (const name of ['a', 'b']) await calendar.register(id, memberToken(name));
    await calendar.attendees(id, (all) => statusesOf(all).join() === 'confirmed,confirmed');
    expect(calendar.seats.taken(id)).toBe(0);
    const limit = (capacity: number) => calendar.call('PATCH', `/api/events/${id}`, { body: { capacity } });
    expect((await limit(1)).body.error).toBe('capacity_below_confirmed');
    expect((await limit(2)).status).toBe(200);
    await until(() => calendar.seats.taken(id) === 2, 'the count of the seats');
    expect((await calendar.register(id, memberToken('c'))).body.status).toBe('waitlisted');
    const [first] = await calendar.attendees(id, (all) => all.length === 3);
    await calendar.call('POST', `/api/events/${id}/registrations/${first.id}/cancel`);
    await calendar.attendees(id, (all) => statusesOf(all).join() === 'canceled,confirmed,confirmed');
    expect(calendar.seats.taken(id)).toBe(2);
  });

  test('are refused when all seats are taken and nobody may wait', async () => {
    const { id } = await calendar.event({ capacity: 1, waitlist: false });
    await calendar.register(id, memberToken('ada'));
    const got = await calendar.register(id, memberToken('ben'));
    expect([got.status, got.body.error]).toEqual([409, 'sold_out']);
    expect((await calendar.register(id, memberToken('ada'))).status).toBe(200);
    await calendar.settled();
    const { body } = await calendar.call('GET', `/api/events/${id}`, { as: 'anonymous' });
    expect([body.seats, body.registration]).toEqual(['none', 'sold_out']);
  });

  test('answer 202 while the seats are not counted, and tell later what came of it', async () => {
    const { id } = await calendar.event({ capacity: 1 });
    const release = calendar.seats.hold();
    const got = await calendar.register(id, memberToken('ada'), undefined, 'wait=0');
    expect([got.status, got.body.status]).toEqual([202, 'pending']);
    const canceled = await calendar.register(id, memberToken('ben'), undefined, 'wait=0');
    await calendar.call('POST', `/api/account/registrations/${canceled.body.id}/cancel`, { as: memberToken('ben') });
    release();
    await ownOnce(got.body.id, 'ada', 'confirmed');
    await calendar.attendees(id, (all) => statusesOf(all).join() === 'confirmed,canceled');
    expect(calendar.seats.taken(id)).toBe(1);
  });

  test('go with `Prefer: wait` no further than the caller would wait', async () => {
    const { id } = await calendar.event();
    const release = calendar.seats.hold();
    const began = performance.now();
    expect((await calendar.register(id, memberToken('ada'), undefined, 'respond-async, wait=1')).status).toBe(202);
    expect(performance.now() - began).toBeGreaterThan(900);
    release();
  });

  test.each([
    ['a draft', {}, false, 404, 'not_found'],
    ['one that costs something', { price: { amount: 900 } }, true, 409, 'invalid_state'],
  ])('are not for %s', async (_, body, isPublic, status, error) => {
    const { id } = await (isPublic ? calendar.event(body) : calendar.draft(body));
    const got = await calendar.register(id, memberToken('ada'));
    expect([got.status, got.body.error]).toEqual([status, error]);
  });

  test('say who registers: a guest by an address, a member by the token', async () => {
    const { id } = await calendar.event();
    expect((await calendar.register(id, 'anonymous')).body.details).toMatchObject([{ path: 'email', code: 'missing' }]);
    expect((await calendar.register(id, memberToken('ada'), guest('ada'))).body.details).toMatchObject([
      { path: 'email', code: 'not_for_members' },
    ]);
    for (const email of ['', 'x', `${'x'.repeat(250)}@x.test`])
      expect((await calendar.register(id, 'anonymous', { email })).status).toBe(422);
    const onlyReads = memberToken('ada', ['events:read']);
    expect((await calendar.register(id, onlyReads)).body.error).toBe('insufficient_scope');
  });

  test('are over when the event is: at the time that is set, at its start, when it is canceled', async () => {
    const closing = await calendar.event({ registration_closes_at: calendar.inHours(1) });
    const starting = await calendar.event({ starts_at: calendar.inHours(2), ends_at: calendar.inHours(5) });
    const gone = await calendar.event({ starts_at: calendar.inHours(9), ends_at: calendar.inHours(10) });
    const before = await calendar.register(gone.id, memberToken('ada'));
    calendar.clock.advance(3 * 3_600_000);
    expect((await calendar.register(closing.id, memberToken('ada'))).body.error).toBe('registration_closed');
    expect((await calendar.register(starting.id, memberToken('ada'))).body.error).toBe('started');
    await calendar.call('POST', `/api/events/${gone.id}/cancel`, { body: { note: 'Flooded' } });
    expect((await calendar.register(gone.id, memberToken('ben'))).body.error).toBe('registration_closed');
    const { cancellation } = await ownOnce(before.body.id, 'ada', 'canceled');
    expect(cancellation).toBe('event');
  });

  test('of guests are bounded for an address, by no address that could be read', async () => {
    const own = await startCalendar();
    try {
      const { id } = await own.event();
      const answers = [];
      for (let count = 0; count < 6; count += 1) answers.push(await own.register(id, 'anonymous', guest('rita')));
      expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 429]);
    } finally {
      await own.close();
    }
  });
});

describe('who comes', () => {
  test('is checked in once confirmed, and canceled by the staff, who see addresses with members:read only', async () => {
    const { id } = await calendar.event({ capacity: 1 });
    const [ada, ben] = [
      await calendar.register(id, memberToken('ada')),
      await calendar.register(id, memberToken('ben')),
    ];
    const at = (registration: string) => `/api/events/${id}/registrations/${registration}`;
    expect((await calendar.call('POST', `${at(ben.body.id)}/check-in`)).body.error).toBe('invalid_state');
    const there = await calendar.call('POST', `${at(ada.body.id)}/check-in`);
    expect([there.status, there.body.status]).toEqual([200, 'attended']);
    expect((await calendar.call('POST', `${at(ada.body.id)}/check-in`)).body.version).toBe(there.body.version);
    expect((await calendar.call('POST', `${at(ada.body.id)}/cancel`)).body.error).toBe('invalid_state');
    expect((await calendar.call('POST', `${at(ben.body.id)}/cancel`)).body.cancellation).toBe('staff');
    const narrow = { role: 'admin', subject: 'account_admin', scopes: ['events:read'] } as const;
    const shown = await calendar.call('GET', at(ada.body.id), { as: narrow });
    expect([shown.body.name, 'email' in shown.body]).toEqual(['Name of account_ada', false]);
    expect((await calendar.call('GET', at(ada.body.id))).body.email).toBe('account_ada@example.org');
  });

  test('is one file of lines that no spreadsheet calculates', async () => {
    const { id } = await calendar.event();
    await calendar.register(id, memberToken('ada'));
    const name = '=HYPERLINK("https://evil.test","x")';
    await calendar.register(id, 'anonymous', { email: 'mallory@guests.test', name });
    const list = `/api/events/${id}/registrations`;
    await calendar.attendees(id, (all) => all.length === 2);
    const file = await calendar.call('GET', `${list}/export?sort=created_at`);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const lines = file.body.trimEnd().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(
      /^registration_[^,]+,account_ada,Name of account_ada,account_ada@example\.org,confirmed,false,/,
    );
    expect(lines[2]).toContain(`,"'=HYPERLINK(""https://evil.test"",""x"")",mallory@guests.test,`);
    const anonymous = await calendar.call('GET', `${list}/export`, { as: 'anonymous' });
    expect(anonymous.body.split('\r\n')).toHaveLength(2);
    expect((await calendar.call('GET', `${list}/export`, { as: memberToken('ada') })).status).toBe(403);
    const lecturer = { role: 'lecturer', subject: 'account_lecturer', scopes: ['events:read'] } as const;
    const others = await calendar.call('GET', `${list}/export`, { as: { ...lecturer, scopes: ['events:read'] } });
    expect(others.status).toBe(404);
  });

  test('is nobody else’s to know', async () => {
    const { id } = await calendar.event();
    const ada = await calendar.register(id, memberToken('ada'));
    const list = `/api/events/${id}/registrations`;
    const anonymous = await calendar.call('GET', list, { as: 'anonymous' });
    expect([anonymous.status, anonymous.body.data]).toEqual([200, []]);
    expect((await calendar.call('GET', list, { as: memberToken('ada') })).body.error).toBe('access_denied');
    const lecturer = {
      role: 'lecturer',
      subject: 'account_lecturer',
      scopes: ['events:read', 'events:write'],
    } as const;
    expect((await calendar.call('GET', list, { as: lecturer })).status).toBe(404);
    expect((await calendar.call('POST', `${list}/${ada.body.id}/cancel`, { as: lecturer })).status).toBe(404);
    expect((await calendar.call('GET', list, { school: 'school_2' })).status).toBe(404);
    const own = `/api/account/registrations/${ada.body.id}`;
    expect((await calendar.call('GET', own, { as: memberToken('ben') })).status).toBe(404);
    expect((await calendar.call('POST', `${own}/cancel`, { as: memberToken('ben') })).status).toBe(404);
    expect((await calendar.call('GET', own, { as: 'anonymous' })).body.error).toBe('access_denied');
  });

  test('is listed to each person with the event, and to a lecturer of their own events', async () => {
    const lecturer = { role: 'lecturer', subject: 'account_ed', scopes: ['events:read', 'events:write'] } as const;
    const body = { title: 'By Ed', starts_at: calendar.inHours(30), ends_at: calendar.inHours(31) };
    const { id } = (await calendar.call('POST', '/api/events', { as: lecturer, body })).body;
    await calendar.call('POST', `/api/events/${id}/publish`, { as: lecturer });
    await calendar.register(id, memberToken('zoe'));
    await calendar.settled();
    const list = await calendar.call('GET', `/api/events/${id}/registrations`, { as: lecturer });
    expect(list.body.data).toMatchObject([{ name: 'Name of account_zoe', status: 'confirmed', bought: false }]);
    expect('email' in list.body.data[0]).toBe(false);
    const own = await calendar.call('GET', '/api/account/registrations', { as: memberToken('zoe') });
    expect(own.body.data).toMatchObject([{ event: { title: 'By Ed', status: 'published' }, status: 'confirmed' }]);
  });
});
