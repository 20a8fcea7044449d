import { describe, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { CapacityState } from '../capacity/capacity.ts';
import { seatRequestDecider } from './seat-request.ts';

const wish = { item_type: 'course', item_id: 'course_1', request_id: 'request_1' } as const;
const now = '2026-01-05T08:00:00.000Z';
const nobody: CapacityState = { limit: 1, holds: {}, taken: {} };
const full: CapacityState = { ...nobody, taken: { line_1: true } };
const answer = (seats: CapacityState, limit: number | null = 1) =>
  ({ type: 'AnswerSeatRequest', ...wish, seats, limit, now }) as const;
const giveBack = (seats: CapacityState) => ({ type: 'ReturnSeat', ...wish, seats }) as const;
const granted = (counted: boolean) => ({ type: 'SeatRequestGranted', data: { ...wish, counted } }) as const;
const denied = { type: 'SeatRequestDenied', data: { ...wish, taken: 1, limit: 1 } } as const;
const returned = { type: 'SeatRequestReturned', data: wish } as const;

describe('a request for a seat', () => {
  test('is granted where there is a seat, and denied where there is none, or where it is held for an order', () => {
    given(seatRequestDecider).when(answer(nobody)).then(granted(true));
    given(seatRequestDecider).when(answer(full)).then(denied);
    const held = { ...nobody, holds: { line_1: '2026-01-05T08:10:00.000Z' } };
    given(seatRequestDecider)
      .when(answer(held))
      .then({ type: 'SeatRequestDenied', data: { ...wish, taken: 0, limit: 1 } });
    const over = { ...nobody, holds: { line_1: '2026-01-05T07:50:00.000Z' } };
    given(seatRequestDecider).when(answer(over)).then(granted(true));
  });

  test('is answered by the limit of the item, whatever the seats had before', () => {
    given(seatRequestDecider).when(answer(full, 2)).then(granted(true));
    given(seatRequestDecider)
      .when(answer({ ...full, limit: 5 }, 1))
      .then(denied);
  });

  test('is granted without a seat where there is no limit', () => {
    given(seatRequestDecider).when(answer(full, null)).then(granted(false));
  });

  test('is answered once: denied stays denied, though a seat is free since', () => {
    for (const answered of [granted(true), granted(false), denied, returned])
      given(seatRequestDecider, answered).when(answer(nobody)).unchanged();
  });

  test('is taken back once, also before it comes', () => {
    given(seatRequestDecider).when(giveBack(nobody)).then(returned);
    given(seatRequestDecider, granted(true)).when(giveBack(nobody)).then(returned);
    given(seatRequestDecider, granted(true), returned).when(giveBack(nobody)).unchanged();
    given(seatRequestDecider, denied).when(giveBack(nobody)).unchanged();
  });
});
