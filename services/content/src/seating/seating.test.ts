import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { SeatingEvent } from './seating.events.ts';
import { seatingDecider } from './seating.ts';

const at = (minute: number) => `2026-01-05T08:0${minute}:00.000Z`;
const counted = (taken: number, limit: number | null, freed?: true): SeatingEvent => ({
  type: 'SeatsCounted',
  data: { taken, limit, ...(freed ? { freed } : {}) },
});
const joined = (registration_id: string, minute: number, denied?: true): SeatingEvent => ({
  type: 'WaitlistJoined',
  data: { registration_id, requested_at: at(minute), ...(denied ? { denied } : {}) },
});
const begun = (registration_id: string): SeatingEvent => ({ type: 'PromotionBegun', data: { registration_id } });
const left = (registration_id: string): SeatingEvent => ({ type: 'WaitlistLeft', data: { registration_id } });
const backAgain = (registration_id: string): SeatingEvent => ({ type: 'PromotionDenied', data: { registration_id } });
const count = (taken: number, limit: number | null, freed = false) =>
  ({ type: 'CountSeats', taken, limit, freed }) as const;
const join = (registration_id: string, minute: number, denied = true) =>
  ({ type: 'JoinWaitlist', waiting: { registration_id, requested_at: at(minute) }, denied }) as const;

describe('who waits for a seat of an event', () => {
  test('waits once, until a seat is free', () => {
    given(seatingDecider, counted(1, 1))
      .when(join('a', 1))
      .then(joined('a', 1, true));
    given(seatingDecider, counted(1, 1), joined('a', 1, true))
      .when(join('a', 1))
      .unchanged();
    given(seatingDecider, counted(1, 1), joined('a', 1, true))
      .when(count(0, 1, true))
      .then(counted(0, 1, true), begun('a'));
  });

  test('gets the seat that was asked for longest ago, not the one who was refused first', () => {
    const two = [counted(1, 1), joined('b', 2, true), joined('a', 1, true)];
    given(seatingDecider, ...two)
      .when(count(0, 1, true))
      .then(counted(0, 1, true), begun('a'));
  });

  test('gets one seat where one is free, and the next one once that is taken', () => {
    const three = [counted(2, 2), joined('a', 1, true), joined('b', 2, true), joined('c', 3, true)];
    given(seatingDecider, ...three)
      .when(count(1, 2, true))
      .then(counted(1, 2, true), begun('a'));
    const promoted = [...three, counted(1, 2, true), begun('a')];
    given(seatingDecider, ...promoted)
      .when(count(2, 2))
      .then(counted(2, 2));
    given(seatingDecider, ...promoted, counted(2, 2))
      .when({ type: 'LeaveWaitlist', registration_id: 'a' })
      .then(left('a'));
    given(seatingDecider, ...promoted, counted(2, 2), left('a'))
      .when(count(2, 4, true))
      .then(counted(2, 4, true), begun('b'), begun('c'));
  });

  test('waits again at its place when somebody else had the seat, and is not promoted before one is free', () => {
    const promoted = [counted(1, 1), joined('a', 1, true), joined('b', 2, true), counted(0, 1, true), begun('a')];
    given(seatingDecider, ...promoted)
      .when({ type: 'DenyPromotion', registration_id: 'a' })
      .then(backAgain('a'));
    given(seatingDecider, ...promoted, backAgain('a'))
      .when(count(0, 1))
      .unchanged();
    given(seatingDecider, ...promoted, backAgain('a'))
      .when(count(0, 1, true))
      .then(counted(0, 1, true), begun('a'));
  });

  test('begins anew when it was canceled and registers again', () => {
    given(seatingDecider, counted(1, 1), joined('a', 1, true), joined('b', 2, true))
      .when(join('a', 3))
      .then(left('a'), joined('a', 3, true));
    given(seatingDecider, counted(1, 1), joined('a', 1, true), counted(0, 1, true), begun('a'))
      .when(join('a', 3))
      .then(left('a'), joined('a', 3, true));
  });

  test('is not promoted after it has left', () => {
    given(seatingDecider, counted(1, 1), joined('a', 1, true), left('a'))
      .when(count(0, 1, true))
      .then(counted(0, 1, true));
    given(seatingDecider).when({ type: 'LeaveWaitlist', registration_id: 'a' }).unchanged();
    given(seatingDecider).when({ type: 'DenyPromotion', registration_id: 'a' }).unchanged();
  });

  test('gets a seat at once when it joins behind others and there is room by then', () => {
    given(seatingDecider, counted(0, 1, true))
      .when(join('a', 1, false))
      .then(joined('a', 1), begun('a'));
  });

  test('hears several things at once, each of what the one before has left', () => {
    const news = [join('a', 1), count(0, 1, true)];
    given(seatingDecider, counted(1, 1))
      .when({ type: 'HearAnswer', news })
      .then(joined('a', 1, true), counted(0, 1, true), begun('a'));
    const back = [{ type: 'DenyPromotion', registration_id: 'a' } as const, join('a', 1), count(1, 1)];
    given(seatingDecider, joined('a', 1, true), counted(0, 1, true), begun('a'))
      .when({ type: 'HearAnswer', news: back })
      .then(backAgain('a'), counted(1, 1));
  });

  test('are promoted twenty at a time where there is no limit any more', () => {
    const many = Array.from({ length: 30 }, (_, index) => joined(`r${index}`, index % 10, true));
    const decided = seatingDecider.decide(
      count(1, null, true),
      many.reduce(
        (state, event) => seatingDecider.evolve(state, event, { at: at(0), version: 1 }),
        seatingDecider.initial,
      ),
    );
    expect(Array.isArray(decided) && decided.filter(({ type }) => type === 'PromotionBegun')).toHaveLength(20);
  });
});
