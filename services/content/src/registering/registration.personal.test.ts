import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryMail } from '@lyceum/mail';
import { until } from '@lyceum/testkit';
import { type Calendar, memberToken, startCalendar } from '../testing/calendar.ts';

let calendar: Calendar;
const mail = memoryMail();
beforeEach(async () => void (calendar = await startCalendar({ ports: { mail, timerPoll: 10 } })));
afterEach(() => calendar.close());

const day = 86_400_000;
const statuses = (all: readonly { readonly status: string }[]) => all.map(({ status }) => status).join();

describe('what is kept of people who register', () => {
  test('is in the export of a member’s data', async () => {
    const { id } = await calendar.event();
    await calendar.register(id, memberToken('ada'));
    await calendar.register(id, memberToken('ben'));
    await calendar.attendees(id, (all) => statuses(all) === 'confirmed,confirmed');
    const records: object[] = [];
    let from: unknown = null;
    do {
      const question = { kind: 'personal-data', school: 'school_1', subject: 'account_ada', from };
      const page = (await calendar.started.answer?.(question)) as { file: string; records: object[]; next: unknown };
      if (page.file === 'event-registrations') records.push(...page.records);
      from = page.next;
    } while (from !== null);
    expect(records).toMatchObject([{ event_id: id, status: 'confirmed' }]);
  });

  test('of a member ends with the member, whose seat at an event to come is free, and counts stay', async () => {
    const { id } = await calendar.event({ capacity: 1 });
    await calendar.register(id, memberToken('ada'));
    await calendar.register(id, memberToken('ben'));
    await calendar.settled();
    await calendar.started.erased?.('school_1', 'account_ada');
    await calendar.started.erased?.('school_1', 'account_ada');
    await calendar.attendees(id, (all) => statuses(all).includes('confirmed') && statuses(all).includes('canceled'));
    expect(calendar.seats.taken(id)).toBe(1);
    expect((await calendar.call('GET', `/api/events/${id}`)).body.seats_taken).toBe(1);
  });

  test('of a guest is forgotten a month after the event, wherever that has moved to', async () => {
    const email = 'rita@guests.test';
    const { id } = await calendar.event();
    await calendar.register(id, 'anonymous', { email, name: 'Rita' });
    const [before] = await calendar.attendees(id, (all) => all.length === 1);
    expect(before.email).toBe(email);
    const times = { starts_at: calendar.inHours(20 * 24), ends_at: calendar.inHours(20 * 24 + 1) };
    await calendar.call('PATCH', `/api/events/${id}`, { body: times });
    await calendar.settled();
    calendar.clock.advance(32 * day);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await calendar.attendees(id))[0]?.email).toBe(email);
    calendar.clock.advance(31 * day);
    const read = async () => (await calendar.call('GET', `/api/events/${id}/registrations/${before.id}`)).body;
    await until(async () => (await read()).email === null, 'the end of what is known of the guest');
    const all = JSON.stringify(await calendar.attendees(id, (found) => found.length === 0));
    expect(all).not.toContain('rita');
    expect((await calendar.call('GET', `/api/events/${id}`)).body.title).toBe('Lantern evening');
  });
});
