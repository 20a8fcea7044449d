import { describe, expect, test } from '@jest/globals';
import { isReleased } from './release.ts';

const enrollment = { started_at: '2026-03-28T12:00:00.000Z', completed: new Set(['lesson_1']) };
const open = (release: Parameters<typeof isReleased>[0], now: string) => isReleased(release, enrollment, now);

describe('a release', () => {
  test('immediate is open from the start of the access', () =>
    expect(open({ type: 'immediate' }, '2026-03-28T12:00:00.000Z')).toBe(true));

  test('after days opens that many times 24 hours later, also across a change of the clocks', () => {
    const release = { type: 'after_days', days: 2 } as const;
    expect(open(release, '2026-03-30T11:59:59.999Z')).toBe(false);
    expect(open(release, '2026-03-30T12:00:00.000Z')).toBe(true);
    expect(open(release, '2026-03-30T13:00:00+01:00')).toBe(true);
  });

  test('at a time opens at that instant', () => {
    const release = { type: 'at', time: '2026-04-01T08:00:00.000Z' } as const;
    expect(open(release, '2026-04-01T07:59:59.999Z')).toBe(false);
    expect(open(release, '2026-04-01T08:00:00.000Z')).toBe(true);
  });

  test('after a lesson opens once that lesson is completed', () => {
    expect(open({ type: 'after_lesson', lesson_id: 'lesson_1' }, enrollment.started_at)).toBe(true);
    expect(open({ type: 'after_lesson', lesson_id: 'lesson_2' }, enrollment.started_at)).toBe(false);
  });
});
