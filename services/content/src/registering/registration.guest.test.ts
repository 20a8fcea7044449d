import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { memoryMail } from '@lyceum/mail';
import { found } from '@lyceum/testkit';
import { type Calendar, memberToken, startCalendar } from '../testing/calendar.ts';

const mail = memoryMail();
let calendar: Calendar;
beforeAll(async () => void (calendar = await startCalendar({ ports: { mail } })));
afterAll(() => calendar.close());

/** The path of the link in the mail to a guest. */
const linkTo = (email: string) =>
  found(async () => {
    const text = mail.sent.find(({ to }) => to === email)?.text;
    return text && /https:\/\/lantern\.example\.org(\/registrations\/\S+)/.exec(text)?.[1];
  }, `a mail to ${email}`);

const anybody = { as: 'anonymous' } as const;

describe('a guest who has the link of a mail', () => {
  test('sees the registration and cancels it by a form without fields, and the seat goes to the next', async () => {
    const { id } = await calendar.event({ capacity: 1, join_url: 'https://meet.test/' });
    await calendar.register(id, 'anonymous', { email: 'rita@guests.test' });
    const next = await calendar.register(id, memberToken('ada'));
    const link = await linkTo('rita@guests.test');
    const seen = await calendar.call('GET', link, anybody);
    expect(seen.body).toMatchObject({ status: 'confirmed', may_cancel: true, join_url: 'https://meet.test/' });
    expect(JSON.stringify(seen.body)).not.toContain('rita');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const gone = await calendar.call('POST', `${link}/cancel`, { ...anybody, headers });
    expect([gone.status, gone.headers.get('location')]).toEqual([303, link]);
    expect((await calendar.call('GET', link, anybody)).body).toMatchObject({
      status: 'canceled',
      may_cancel: false,
      join_url: null,
    });
    expect((await calendar.call('POST', `${link}/cancel`, { ...anybody, headers })).status).toBe(303);
    const [, promoted] = await calendar.attendees(id, (all) => all.some(({ status }) => status === 'confirmed'));
    expect(promoted.id).toBe(next.body.id);
  });

  test('has it of this registration in this school only', async () => {
    const { id } = await calendar.event();
    const guest = await calendar.register(id, 'anonymous', { email: 'otto@guests.test' });
    const member = await calendar.register(id, memberToken('ada'));
    const link = await linkTo('otto@guests.test');
    const code = link.split('/').at(-1) ?? '';
    const uuid = (each: string) => each.replace('registration_', '');
    const others = [
      code.slice(0, -1) + (code.endsWith('A') ? 'B' : 'A'),
      code.replace(uuid(guest.body.id), uuid(member.body.id)),
      uuid(guest.body.id),
      guest.body.id,
      'x',
    ];
    for (const other of others) {
      expect((await calendar.call('GET', `/registrations/${other}`, anybody)).status).toBe(404);
      expect((await calendar.call('POST', `/registrations/${other}/cancel`, anybody)).status).toBe(404);
    }
    expect((await calendar.call('GET', link, { ...anybody, school: 'school_2' })).status).toBe(404);
    expect((await calendar.call('GET', link, anybody)).body.status).toBe('confirmed');
  });
});
