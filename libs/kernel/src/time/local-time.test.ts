import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { daysLater, localDay, monthsLater, mostShift } from './local-time.ts';

const day = 86_400_000;
const hour = 3_600_000;
const later = (from: string, days: number, zone: string): string =>
  new Date(daysLater(Date.parse(from), days, zone)).toISOString();

describe('days later in a time zone', () => {
  test('it is the same local time, before and after summer time began and ended', () => {
    expect(later('2026-03-28T12:00:00.000Z', 1, 'Europe/Lisbon')).toBe('2026-03-29T11:00:00.000Z');
    expect(later('2026-10-24T11:00:00.000Z', 1, 'Europe/Lisbon')).toBe('2026-10-25T12:00:00.000Z');
    expect(later('2026-03-07T17:30:15.250Z', 2, 'America/New_York')).toBe('2026-03-09T16:30:15.250Z');
    expect(later('2026-01-05T08:00:00.000Z', 30, 'Asia/Tokyo')).toBe('2026-02-04T08:00:00.000Z');
  });

  test('a local time that is skipped is as much later as the clocks skip, one that comes twice is the first', () => {
    // Lisbon goes from 01:00 to 02:00 on 29 March, and on 25 October from 02:00 back to 01:00.
    expect(later('2026-03-28T01:30:00.000Z', 1, 'Europe/Lisbon')).toBe('2026-03-29T01:30:00.000Z');
    expect(later('2026-10-24T00:30:00.000Z', 1, 'Europe/Lisbon')).toBe('2026-10-25T00:30:00.000Z');
    // Lord Howe moves by half an hour; Samoa had no 30 December 2011.
    expect(later('2026-10-02T15:45:00.000Z', 1, 'Australia/Lord_Howe')).toBe('2026-10-03T15:45:00.000Z');
    expect(later('2011-12-29T20:00:00.000Z', 1, 'Pacific/Apia')).toBe('2011-12-30T20:00:00.000Z');
    expect(later('2011-12-29T20:00:00.000Z', 2, 'Pacific/Apia')).toBe('2011-12-30T20:00:00.000Z');
  });

  test('an unknown time zone is refused', () => expect(() => daysLater(0, 1, 'Mars/Olympus')).toThrow(RangeError));
});

describe('months later in a time zone', () => {
  const month = (from: string, months: number, zone: string): string =>
    new Date(monthsLater(Date.parse(from), months, zone)).toISOString();

  test('it is the same day and local time, on the last day where a month has no such day', () => {
    const ends = [1, 2, 3, 13].map((months) => month('2027-01-31T12:00:00.000Z', months, 'UTC'));
    expect(ends).toEqual([
      '2027-02-28T12:00:00.000Z',
      '2027-03-31T12:00:00.000Z',
      '2027-04-30T12:00:00.000Z',
      '2028-02-29T12:00:00.000Z',
    ]);
    expect(month('2028-02-29T12:00:00.000Z', 12, 'UTC')).toBe('2029-02-28T12:00:00.000Z');
    expect(month('2028-02-29T12:00:00.000Z', 48, 'UTC')).toBe('2032-02-29T12:00:00.000Z');
    expect(month('2026-12-15T12:00:00.000Z', -13, 'UTC')).toBe('2025-11-15T12:00:00.000Z');
  });

  test('the day is that of the time zone, and summer time moves nothing', () => {
    // In Tokyo it is 31 January already, in Los Angeles 30 January still.
    expect(month('2027-01-30T20:00:00.000Z', 1, 'Asia/Tokyo')).toBe('2027-02-27T20:00:00.000Z');
    expect(month('2027-01-30T20:00:00.000Z', 2, 'America/Los_Angeles')).toBe('2027-03-30T19:00:00.000Z');
    expect(month('2027-03-14T10:00:00.500Z', 1, 'Europe/Lisbon')).toBe('2027-04-14T09:00:00.500Z');
  });

  test('days are counted by the calendar of the time zone', () => {
    expect(localDay(0, 'UTC')).toBe(0);
    expect(localDay(-1, 'UTC')).toBe(-1);
    expect(localDay(Date.parse('1970-01-01T20:00:00Z'), 'Asia/Tokyo')).toBe(1);
    expect(localDay(Date.parse('1970-01-02T04:00:00Z'), 'America/New_York')).toBe(0);
  });
});

describe('properties', () => {
  const zones = [
    'UTC',
    'Europe/Lisbon',
    'Europe/Berlin',
    'America/New_York',
    'America/Sao_Paulo',
    'America/St_Johns',
    'Africa/Casablanca',
    'Asia/Kathmandu',
    'Asia/Gaza',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Pacific/Chatham',
    'Antarctica/Troll',
  ] as const;
  /** When clocks were, or will be, changed. */
  const changes = [
    ['Europe/Lisbon', '2026-03-29T01:00:00Z'],
    ['Europe/Lisbon', '2026-10-25T01:00:00Z'],
    ['America/New_York', '2026-03-08T07:00:00Z'],
    ['America/New_York', '2026-11-01T06:00:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z'],
    ['Antarctica/Troll', '2026-03-29T01:00:00Z'],
  ] as const;
  /** Written another way than the code under test. */
  const clocks = new Map(
    zones.map((timeZone) => [
      timeZone,
      new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
    ]),
  );
  const wall = (zone: (typeof zones)[number], at: number): string => clocks.get(zone)!.format(at);
  const asUtc = (shown: string): number => Date.parse(`${shown.replace(' ', 'T')}Z`);
  const seconds = (iso: string): number => Date.parse(iso) / 1_000;
  const anyTime = fc.integer({ min: seconds('2005-01-01T00:00:00Z'), max: seconds('2037-12-31T00:00:00Z') });
  const anywhere = fc.tuple(anyTime, fc.integer({ min: 0, max: 400 }), fc.constantFrom(...zones));
  /** What leads to about when the clocks are changed. */
  const nearChanges = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: 0, max: 90 }), fc.integer({ min: -7_200, max: 7_200 }))
    .map(([[zone, change], days, off]) => [seconds(change) - (days * day) / 1_000 + off, days, zone] as const);
  const cases = fc.oneof(anywhere, nearChanges);

  test('30,000 cases in thirteen zones: the clock shows the same time so many dates later, or that time was skipped', () => {
    let skipped = 0;
    let changed = 0;
    fc.assert(
      fc.property(cases, ([second, days, zone]) => {
        const start = second * 1_000;
        const at = daysLater(start, days, zone);
        const wanted = asUtc(wall(zone, start)) + days * day;
        const shown = asUtc(wall(zone, at));
        if (at - start !== days * day) changed += 1;
        if (Math.abs(at - start - days * day) > mostShift) return false;
        if (shown === wanted) {
          // The first time that the clocks show it, the time at which it all began apart.
          return days === 0 || [0.5, 1, 2, 24].every((hours) => asUtc(wall(zone, at - hours * hour)) !== wanted);
        }
        // No clock ever shows it: so much earlier, they went as before the change.
        skipped += 1;
        const gap = shown - wanted;
        return gap > 0 && asUtc(wall(zone, at - gap)) === wanted - gap;
      }),
      { numRuns: 30_000 },
    );
    expect(changed).toBeGreaterThan(5_000);
    expect(skipped).toBeGreaterThan(100);
  });

  test('10,000 cases around changes of the clocks: what opens a day later never opens before what opens earlier', () => {
    const around = fc.integer({ min: -40 * 3_600, max: 40 * 3_600 });
    fc.assert(
      fc.property(fc.constantFrom(...changes), around, fc.integer({ min: 0, max: 9 }), ([zone, change], off, days) => {
        const start = Date.parse(change) + off * 1_000 - days * day;
        return daysLater(start, days, zone) <= daysLater(start, days + 1, zone);
      }),
      { numRuns: 10_000 },
    );
  });

  test('10,000 cases: months later it is that day of the month, or its last one, at the same time but for skipped times', () => {
    fc.assert(
      fc.property(anyTime, fc.integer({ min: 0, max: 60 }), fc.constantFrom(...zones), (second, months, zone) => {
        const start = new Date(asUtc(wall(zone, second * 1_000)));
        const at = monthsLater(second * 1_000, months, zone);
        const shown = asUtc(wall(zone, at));
        const day = start.getUTCDate();
        const first = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + months, 1);
        const time = start.getTime() % 86_400_000;
        // The day after may be another month already: then the last one is meant.
        const wanted = [day, day - 1, day - 2, day - 3]
          .map((each) => first + (each - 1) * 86_400_000)
          .find((each) => new Date(each).getUTCMonth() === new Date(first).getUTCMonth());
        const gap = shown - (wanted! + time);
        return gap === 0 || (gap > 0 && gap <= 24 * hour && asUtc(wall(zone, at - gap)) === wanted! + time - gap);
      }),
      { numRuns: 10_000 },
    );
  });
});
