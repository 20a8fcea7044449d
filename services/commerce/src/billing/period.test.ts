import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { graceUntil, nextAttempt } from './dunning.ts';
import { afterDays, daysBetween, monthsIn, movedBy, periodEnd } from './period.ts';

const zone = 'Europe/Lisbon';

describe('periods', () => {
  test('are counted from the anchor: what begins on the 31st ends on the last day of shorter months, and on the 31st again', () => {
    const ends = [1, 2, 3, 4, 13].map((months) => periodEnd('2027-01-31T10:00:00.000Z', months, zone));
    expect(ends).toEqual([
      '2027-02-28T10:00:00.000Z',
      '2027-03-31T09:00:00.000Z',
      '2027-04-30T09:00:00.000Z',
      '2027-05-31T09:00:00.000Z',
      '2028-02-29T10:00:00.000Z',
    ]);
  });

  test('of a leap day end on 28 February in other years', () => {
    const ends = [12, 24, 48].map((months) => periodEnd('2028-02-29T12:00:00.000Z', months, 'UTC').slice(0, 10));
    expect(ends).toEqual(['2029-02-28', '2030-02-28', '2032-02-29']);
  });

  test('have the day of the school’s time zone', () => {
    // In Tokyo it is 31 March already.
    expect(periodEnd('2027-03-30T20:00:00.000Z', 1, 'Asia/Tokyo')).toBe('2027-04-29T20:00:00.000Z');
    expect(periodEnd('2027-03-30T20:00:00.000Z', 1, 'UTC')).toBe('2027-04-30T20:00:00.000Z');
  });

  test.each([
    [{ unit: 'month', count: 3 } as const, 3],
    [{ unit: 'year', count: 2 } as const, 24],
    [null, 0],
  ])('of %j have %i months', (interval, months) => expect(monthsIn({ interval })).toBe(months));

  test('days are those of the calendar, over a change of the clocks', () => {
    expect(daysBetween('2027-03-27T12:00:00.000Z', '2027-03-29T11:00:00.000Z', zone)).toBe(2);
    expect(afterDays('2027-03-27T12:00:00.000Z', 2, zone)).toBe('2027-03-29T11:00:00.000Z');
    expect(movedBy('2027-01-10T00:00:00.000Z', '2027-01-05T00:00:00.000Z', '2027-01-07T12:00:00.000Z')).toBe(
      '2027-01-12T12:00:00.000Z',
    );
  });

  const zones = fc.constantFrom('UTC', 'Europe/Lisbon', 'America/New_York', 'Asia/Tokyo', 'Pacific/Apia', 'Asia/Gaza');
  const times = fc
    .integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2040, 0, 1) })
    .map((at) => new Date(at).toISOString());

  test('10,000 anchors: periods grow, none is lost or doubled, and each is as long as its months allow', () => {
    const lengths = { 1: [28, 31], 3: [89, 92], 12: [365, 366] } as const;
    const each = fc.constantFrom(1 as const, 3 as const, 12 as const);
    fc.assert(
      fc.property(times, each, zones, fc.integer({ min: 0, max: 60 }), (anchor, months, timezone, count) => {
        const start = count === 0 ? anchor : periodEnd(anchor, count * months, timezone);
        const end = periodEnd(anchor, (count + 1) * months, timezone);
        const days = daysBetween(start, end, timezone);
        const [least, most] = lengths[months];
        return start < end && days >= least && days <= most;
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('dunning', () => {
  const since = '2027-03-20T12:00:00.000Z';

  test('tries again one, three, seven and thirteen days after the first failure, and gives up after fourteen', () => {
    const tries: string[] = [];
    for (let at: string | null = nextAttempt(since, since, zone); at; at = nextAttempt(since, at, zone)) tries.push(at);
    // Summer time begins on 28 March: the local time stays.
    expect(tries).toEqual([
      '2027-03-21T12:00:00.000Z',
      '2027-03-23T12:00:00.000Z',
      '2027-03-27T12:00:00.000Z',
      '2027-04-02T11:00:00.000Z',
    ]);
    expect(graceUntil(since, zone)).toBe('2027-04-03T11:00:00.000Z');
  });

  test('makes one try stand for those that were missed', () =>
    expect(nextAttempt(since, '2027-03-25T00:00:00.000Z', zone)).toBe('2027-03-27T12:00:00.000Z'));
});
