import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Period, dateOf, dayOfDate, firstOf, intervals, mondayOf, monthOf, periodsOf } from './calendar.ts';

const from = (start: string, end: string): Period => ({ start: dayOfDate(start), end: dayOfDate(end) });
const shown = ({ start, end }: Period): string => `${dateOf(start)}/${dateOf(end)}`;

describe('the calendar', () => {
  test('weeks begin on Monday, also before 1970', () => {
    expect(dateOf(mondayOf(dayOfDate('2026-11-25')))).toBe('2026-11-23');
    expect(dateOf(mondayOf(dayOfDate('2026-11-23')))).toBe('2026-11-23');
    expect(dateOf(mondayOf(dayOfDate('1969-12-31')))).toBe('1969-12-29');
  });

  test('a range is widened to the weeks and months that it touches; its end is exclusive', () => {
    const range = from('2026-01-28', '2026-02-10');
    expect(periodsOf(range, 'week').map(shown)).toEqual([
      '2026-01-26/2026-02-02',
      '2026-02-02/2026-02-09',
      '2026-02-09/2026-02-16',
    ]);
    expect(periodsOf(range, 'month').map(shown)).toEqual(['2026-01-01/2026-02-01', '2026-02-01/2026-03-01']);
    expect(periodsOf(from('2026-01-26', '2026-02-02'), 'week').map(shown)).toEqual(['2026-01-26/2026-02-02']);
    expect(periodsOf(from('2026-01-01', '2026-01-03'), 'day').map(shown)).toEqual([
      '2026-01-01/2026-01-02',
      '2026-01-02/2026-01-03',
    ]);
    expect(periodsOf(from('2026-01-01', '2026-01-01'), 'day')).toEqual([]);
  });

  test('periods follow each other without gaps and have all days of the range, however it is divided', () => {
    const range = fc.tuple(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 1, max: 400 }));
    fc.assert(
      fc.property(range, fc.constantFrom(...intervals), ([start, days], interval) => {
        const periods = periodsOf({ start, end: start + days }, interval);
        for (const [index, { start: at, end }] of periods.entries()) {
          expect(at).toBeLessThan(end);
          if (index > 0) expect(at).toBe(periods[index - 1]!.end);
          expect(firstOf(monthOf(at))).toBeLessThanOrEqual(at);
          expect(dayOfDate(dateOf(at))).toBe(at);
        }
        expect(periods[0]!.start).toBeLessThanOrEqual(start);
        expect(periods.at(-1)!.end).toBeGreaterThanOrEqual(start + days);
        expect(periods.at(-1)!.start).toBeLessThan(start + days);
      }),
      { numRuns: 20 },
    );
  });
});
