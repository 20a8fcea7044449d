import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import { seatsDecider, shownOf } from './seats.ts';

const course_id = 'course_1';
const count = (taken: number, version: number, limit: number | null = 3) =>
  ({ type: 'CountSeats', course_id, taken, limit, version }) as const;
const counted = (taken: number, version: number) =>
  ({ type: 'SeatsCounted', data: { course_id, taken, version } }) as const;
const shown = (seats: 'none' | 'few' | 'available') => ({ type: 'SeatsShown', data: { course_id, seats } }) as const;

describe('seats', () => {
  test.each([
    [null, 0, 'available'],
    [3, 0, 'available'],
    [3, 2, 'few'],
    [3, 3, 'none'],
    [3, 4, 'none'],
    [1, 0, 'few'],
    [40, 35, 'available'],
    [40, 36, 'few'],
    [40, 39, 'few'],
    [40, 40, 'none'],
  ] as const)('of %s with %s taken are shown as %s', (limit, taken, seats) =>
    expect(shownOf(limit, taken)).toBe(seats),
  );

  test('are counted as they are taken, and told to everybody when they look different', () => {
    given(seatsDecider).when(count(1, 2)).then(counted(1, 2), shown('available'));
    given(seatsDecider, counted(1, 2), shown('available')).when(count(2, 3)).then(counted(2, 3), shown('few'));
    given(seatsDecider, counted(5, 6), shown('available'))
      .when(count(6, 7, 20))
      .then(counted(6, 7));
  });

  test('are counted once, and never by what is older', () => {
    given(seatsDecider, counted(2, 3), shown('few')).when(count(2, 3)).unchanged();
    given(seatsDecider, counted(2, 3), shown('few')).when(count(1, 2)).unchanged();
  });
});
