import { describe, expect, test } from '@jest/globals';
import { isReleased } from './release.ts';

const learner = {
  started_at: '2026-03-28T12:00:00.000Z',
  completed: new Set(['lesson_1']),
  timezone: 'Europe/Lisbon',
};
const open = (release: Parameters<typeof isReleased>[0], now: string) => isReleased(release, learner, now);

describe('a release', () => {
  test('immediate is open from the start of the access', () =>
    expect(open({ type: 'immediate' }, '2026-03-28T12:00:00.000Z')).toBe(true));

  test('after days opens at the same time of day in the school, also across a change of its clocks', () => {
    const release = { type: 'after_days', days: 2 } as const;
    // In Lisbon it was noon, and summer time began on the 29th.
    expect(open(release, '2026-03-30T10:59:59.999Z')).toBe(false);
    expect(open(release, '2026-03-30T11:00:00.000Z')).toBe(true);
    expect(open(release, '2026-03-30T12:00:00+01:00')).toBe(true);
    const inUtc = (now: string) => isReleased(release, { ...learner, timezone: 'UTC' }, now);
    expect([inUtc('2026-03-30T11:59:59.999Z'), inUtc('2026-03-30T12:00:00.000Z')]).toEqual([false, true]);
    expect([open(release, '2026-03-28T12:00:00.000Z'), open(release, '2026-09-30T12:00:00.000Z')]).toEqual([
      false,
      true,
    ]);
  });

  test('at a time opens at that instant', () => {
    const release = { type: 'at', time: '2026-04-01T08:00:00.000Z' } as const;
    expect(open(release, '2026-04-01T07:59:59.999Z')).toBe(false);
    expect(open(release, '2026-04-01T08:00:00.000Z')).toBe(true);
  });

  test('after a lesson opens once that lesson is completed', () => {
    expect(open({ type: 'after_lesson', lesson_id: 'lesson_1' }, learner.started_at)).toBe(true);
    expect(open({ type: 'after_lesson', lesson_id: 'lesson_2' }, learner.started_at)).toBe(false);
  });

  test('that does not say for what it waits stays closed', () => {
    for (const type of ['at', 'after_lesson'] as const) expect(open({ type }, '2126-01-01T00:00:00.000Z')).toBe(false);
  });
});
