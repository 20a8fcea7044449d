import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hostileLines, hostileMarkup } from '@lyceum/testkit';
import { type Calendar, startCalendar } from '../testing/calendar.ts';
import { type ListedEvent, icalendar } from './icalendar.ts';

const event: ListedEvent = {
  id: 'event_1',
  title: 'Lantern evening',
  summary: null,
  slug: 'evening',
  status: 'published',
  starts_at: '2026-03-29T00:30:00.000Z',
  ends_at: '2026-03-29T02:30:00.000Z',
  mode: 'online',
  venue: null,
  sequence: 0,
  updated_at: '2026-01-05T08:00:00.000Z',
};
const of = { name: 'Lantern school', issuer: 'https://lantern.example.org' };

/** The properties of a file, unfolded. @see RFC 5545 §3.1 */
const propertiesOf = (text: string): readonly string[] => text.replaceAll(/\r\n[ \t]/g, '').split('\r\n');

/** The value of a text property as programs read it. @see RFC 5545 §3.3.11 */
const readText = (value: string): string =>
  value.replaceAll(/\\([\\;,nN])/g, (_, escaped: string) => (escaped.toLowerCase() === 'n' ? '\n' : escaped));

const textOf = (text: string, name: string): string =>
  readText(
    propertiesOf(text)
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1) ?? '',
  );

describe('an event as iCalendar', () => {
  test('RFC 5545 §3.3.5: has its times in UTC, also where clocks are changed', () => {
    const lines = propertiesOf(icalendar(of, [event]));
    for (const line of ['DTSTART:20260329T003000Z', 'DTEND:20260329T023000Z', 'UID:event_1', 'SEQUENCE:0'])
      expect(lines).toContain(line);
    expect(lines.filter((line) => line === 'STATUS:CONFIRMED')).toHaveLength(1);
  });

  test('RFC 5545 §3.8.1.11: that was canceled is struck out under the same UID', () => {
    const lines = propertiesOf(icalendar(of, [{ ...event, status: 'canceled', sequence: 2 }]));
    for (const line of ['UID:event_1', 'STATUS:CANCELLED', 'SEQUENCE:2']) expect(lines).toContain(line);
  });

  test.each([
    ...hostileLines,
    ...hostileMarkup,
    '\u0000\u0007\u001b[31m',
    '\u2028line\u2029paragraph\u0085next',
    '랜턴 만들기 🏮'.repeat(30),
  ])('RFC 5545 §3.1: stays one event, whatever %j stands in', (hostile) => {
    const said = { title: hostile, summary: hostile, venue: { name: hostile, address: hostile } };
    const text = icalendar({ ...of, name: hostile }, [{ ...event, ...said, mode: 'hybrid' }]);
    const lines = propertiesOf(text);
    const names = lines.filter((line) => line !== '').map((line) => /^[A-Z-]+(?=[:;])/.exec(line)?.[0]);
    expect(names.filter((name) => name === undefined)).toEqual([]);
    expect(names.filter((name) => name === 'BEGIN')).toHaveLength(2);
    for (const once of ['SUMMARY', 'DTSTART', 'DTEND', 'UID'])
      expect([once, names.filter((name) => name === once).length]).toEqual([once, 1]);
    expect(names).not.toContain('ATTACH');
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    const visible = (words: string) => words.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
    expect(visible(textOf(text, 'SUMMARY'))).toBe(visible(hostile));
    expect(visible(textOf(text, 'DESCRIPTION'))).toContain(visible(hostile));
  });
});

describe('the calendar of a school', () => {
  let calendar: Calendar;
  beforeAll(async () => void (calendar = await startCalendar()));
  afterAll(() => calendar.close());

  test('has its public events with their newest times, and nothing that only some may know', async () => {
    const { id, slug } = await calendar.event({ title: 'Public', join_url: 'https://meet.test/secret' });
    const gone = await calendar.event({ title: 'Gone' });
    await calendar.draft({ title: 'Draft' });
    const body = { starts_at: calendar.inHours(72), ends_at: calendar.inHours(73) };
    await calendar.call('PATCH', `/api/events/${id}`, { body });
    await calendar.call('POST', `/api/events/${gone.id}/cancel`);
    await calendar.settled();
    const got = await calendar.call('GET', '/events/calendar.ics', { as: 'anonymous' });
    expect([got.status, got.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    const lines = propertiesOf(got.body);
    expect(lines.filter((line) => line.startsWith('SUMMARY:')).toSorted()).toEqual(['SUMMARY:Gone', 'SUMMARY:Public']);
    for (const line of ['SEQUENCE:1', 'STATUS:CANCELLED', `UID:${id}`]) expect(lines).toContain(line);
    expect(got.body).not.toContain('meet.test');
    const one = await calendar.call('GET', `/events/${slug}/calendar.ics`, { as: 'anonymous' });
    expect(propertiesOf(one.body)).toContain(`UID:${id}`);
    expect(one.headers.get('content-disposition')).toBe(`inline; filename="${slug}.ics"`);
    expect(one.body).not.toContain('meet.test');
  });

  test('is that of one school, and has no file of a draft', async () => {
    const draft = await calendar.draft();
    expect((await calendar.call('GET', `/events/${draft.id}/calendar.ics`)).status).toBe(404);
    const other = await calendar.call('GET', '/events/calendar.ics', { as: 'anonymous', school: 'school_2' });
    expect(other.body).not.toContain('BEGIN:VEVENT');
  });
});
