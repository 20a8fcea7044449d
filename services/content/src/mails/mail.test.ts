import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryMail } from '@lyceum/mail';
import { until } from '@lyceum/testkit';
import { type Engines, enginesOf } from '@lyceum/testkit-service';
import { setTimeout as pause } from 'node:timers/promises';
import { content } from '../module.ts';
import { type Calendar, memberToken, startCalendar } from '../testing/calendar.ts';
import { FakeSchool } from '../testing/fake-school.ts';

const hour = 3_600_000;

/** A service whose process is started anew whenever the test says so; its log, its clock and what it has sent stay. */
let engines: Engines;
let mail: ReturnType<typeof memoryMail>;
let school: FakeSchool;
let calendar: Calendar;
const start = async () => {
  calendar = await startCalendar({ engines, school, ports: { mail, timerPoll: 10 } });
};
beforeEach(async () => {
  engines = enginesOf(content);
  mail = memoryMail();
  school = new FakeSchool();
  await start();
});
afterEach(() => calendar.close());

async function startAnew(): Promise<void> {
  await calendar.close();
  await start();
}

/** The mails once there are so many; a moment later no more. */
async function mailsOnce(count: number): Promise<readonly { to: string; subject: string; text: string }[]> {
  await until(
    () => mail.sent.length >= count,
    () => `${count} mails (there are ${mail.sent.length})`,
  );
  await calendar.settled();
  await pause(60);
  expect(mail.sent.map(({ subject }) => subject)).toHaveLength(count);
  return mail.sent.map(({ to, subject, text }) => ({ to, subject, text }));
}

const last = async (count: number) => (await mailsOnce(count)).at(-1);

/** An event in two days, in Lisbon. */
const inTwoDays = (more: object = {}) =>
  calendar.event({
    title: 'Lantern evening',
    timezone: 'Europe/Lisbon',
    starts_at: calendar.inHours(48),
    ends_at: calendar.inHours(50),
    ...more,
  });

const guest = { email: 'rita@guests.test', name: 'Rita', language: 'pt' };

describe('who registers for an event', () => {
  test('is told that there is a seat, when and where; only a guest how to cancel without an account', async () => {
    const { id } = await inTwoDays({ join_url: 'https://meet.example.org/lantern' });
    await calendar.register(id, memberToken('ada'));
    const toMember = await last(1);
    expect(toMember).toMatchObject({ to: 'account_ada@example.org', subject: 'You are registered: Lantern evening' });
    expect(toMember?.text).toMatch(/When: January 7, 2026.*08:00.*\nWhere: Online/);
    expect(toMember?.text).toContain('https://meet.example.org/lantern');
    expect(toMember?.text).not.toContain('/registrations/');
    await calendar.register(id, 'anonymous', guest);
    const toGuest = await last(2);
    expect(toGuest).toMatchObject({ to: guest.email, subject: 'A sua inscrição está confirmada: Lantern evening' });
    expect(toGuest?.text).toMatch(/https:\/\/lantern\.example\.org\/registrations\/[0-9a-f-]{36}-[\w-]{43}/);
  });

  test('is told that they wait, and once that they have a seat', async () => {
    const { id } = await inTwoDays({ capacity: 1 });
    const first = await calendar.register(id, memberToken('ada'));
    await mailsOnce(1);
    await calendar.register(id, memberToken('ben'));
    expect(await last(2)).toMatchObject({ subject: 'You are on the waitlist: Lantern evening' });
    await calendar.call('POST', `/api/account/registrations/${first.body.id}/cancel`, { as: memberToken('ada') });
    const subjects = (await mailsOnce(4)).slice(2).map(({ to, subject }) => `${to} ${subject}`);
    expect(subjects.toSorted()).toEqual([
      'account_ada@example.org Your registration is canceled: Lantern evening',
      'account_ben@example.org You have a seat now: Lantern evening',
    ]);
    await startAnew();
    await mailsOnce(4);
  });

  test('is told of another time, and that the event is called off, with why', async () => {
    const { id } = await inTwoDays();
    await calendar.register(id, memberToken('ada'));
    await mailsOnce(1);
    const body = { starts_at: calendar.inHours(72), ends_at: calendar.inHours(74) };
    expect((await calendar.call('PATCH', `/api/events/${id}`, { body })).status).toBe(200);
    const moved = await last(2);
    expect(moved?.subject).toBe('New time: Lantern evening');
    expect(moved?.text).toContain('When: January 8, 2026');
    await calendar.call('POST', `/api/events/${id}/cancel`, { body: { note: 'The workshop is flooded.' } });
    const off = await last(3);
    expect(off?.subject).toBe('Called off: Lantern evening');
    expect(off?.text).toContain('The workshop is flooded.');
    engines.clock.advance(71 * hour + 1);
    await startAnew();
    await mailsOnce(3);
  });

  test('is reminded a day and an hour before, once each, by a process that is started anew meanwhile', async () => {
    const { id } = await inTwoDays();
    await calendar.register(id, memberToken('ada'));
    await mailsOnce(1);
    engines.clock.advance(23 * hour);
    await startAnew();
    await mailsOnce(1);
    engines.clock.advance(hour);
    expect(await last(2)).toMatchObject({ subject: 'Coming up: Lantern evening' });
    await startAnew();
    await mailsOnce(2);
    engines.clock.advance(23 * hour);
    expect(await last(3)).toMatchObject({ subject: 'Beginning soon: Lantern evening' });
    await startAnew();
    engines.clock.advance(2 * hour);
    await mailsOnce(3);
  });

  test('is reminded late, once, after an outage of an hour, and never after the event has begun', async () => {
    const { id } = await inTwoDays();
    await calendar.register(id, memberToken('ada'));
    await mailsOnce(1);
    await calendar.close();
    engines.clock.advance(25 * hour);
    await start();
    expect(await last(2)).toMatchObject({ subject: 'Coming up: Lantern evening' });
    await calendar.close();
    // Down from before the last reminder until after the beginning.
    engines.clock.advance(23 * hour + 1);
    await start();
    await mailsOnce(2);
  });

  test('is reminded once where two processes look after it', async () => {
    const { id } = await inTwoDays();
    const other = await startCalendar({ engines, school, ports: { mail, timerPoll: 10 } });
    try {
      await calendar.register(id, memberToken('ada'));
      await mailsOnce(1);
      engines.clock.advance(24 * hour);
      expect(await last(2)).toMatchObject({ subject: 'Coming up: Lantern evening' });
      await other.settled();
      await mailsOnce(2);
    } finally {
      await other.close();
    }
  });

  test('while the mail server is away is reminded as long as the event has not begun', async () => {
    const { id } = await inTwoDays();
    await calendar.register(id, memberToken('ada'));
    await mailsOnce(1);
    mail.failNext(3);
    engines.clock.advance(24 * hour);
    await pause(100);
    for (let step = 0; step < 6; step += 1) {
      engines.clock.advance(60_000);
      await pause(60);
    }
    expect(await last(2)).toMatchObject({ subject: 'Coming up: Lantern evening' });
    mail.failNext(1_000);
    engines.clock.advance(23 * hour);
    await pause(100);
    engines.clock.advance(hour);
    await pause(100);
    mail.failNext(0);
    await mailsOnce(2);
  });

  test('so late that the time of a reminder is over gets none at once, and of another time those of it only', async () => {
    const { id } = await calendar.event({ starts_at: calendar.inHours(3), ends_at: calendar.inHours(4) });
    await calendar.register(id, memberToken('ada'));
    await mailsOnce(1);
    const away = { starts_at: calendar.inHours(10), ends_at: calendar.inHours(11) };
    const back = { starts_at: calendar.inHours(3), ends_at: calendar.inHours(4) };
    await calendar.call('PATCH', `/api/events/${id}`, { body: away });
    expect((await last(2))?.subject).toMatch(/^New time/);
    await calendar.call('PATCH', `/api/events/${id}`, { body: back });
    expect((await last(3))?.subject).toMatch(/^New time/);
    engines.clock.advance(2 * hour);
    expect(await last(4)).toMatchObject({ subject: 'Beginning soon: Lantern evening' });
    engines.clock.advance(8 * hour);
    await mailsOnce(4);
  });

  test('is not reminded who does not want to be, and is told all the rest', async () => {
    school.quiet.add('account_ada');
    const { id } = await inTwoDays();
    await calendar.register(id, memberToken('ada'));
    await calendar.register(id, 'anonymous', guest);
    await mailsOnce(2);
    engines.clock.advance(24 * hour);
    expect(await last(3)).toMatchObject({ to: guest.email });
    await calendar.call('POST', `/api/events/${id}/cancel`);
    await mailsOnce(5);
  });
});
