import { expect, test } from '@jest/globals';
import { isRejection } from '@lyceum/kernel';
import fc from 'fast-check';
import type { CapacityEvent } from '../capacity/capacity.events.ts';
import {
  type CapacityCommand,
  type CapacityState,
  capacityDecider,
  liveHolds,
  takenSeats,
} from '../capacity/capacity.ts';
import { type SeatRequestCommand, type SeatRequestState, seatRequestDecider } from './seat-request.ts';

const item = { item_type: 'course', item_id: 'course_1' } as const;
const timeOf = (minutes: number): string => new Date(Date.UTC(2026, 0, 5) + minutes * 60_000).toISOString();

/** The seats of an item with the requests for them, and orders beside. */
class World {
  seats: CapacityState = capacityDecider.initial;
  readonly requests = new Map<string, SeatRequestState>();
  #minutes = 0;

  get now(): string {
    return timeOf(this.#minutes);
  }

  later(minutes: number): string {
    this.#minutes += minutes;
    return timeOf(this.#minutes + minutes);
  }

  order(command: CapacityCommand): void {
    const decision = capacityDecider.decide(command, this.seats);
    if (!isRejection(decision)) this.#take(decision);
  }

  request(id: string, command: SeatRequestCommand): void {
    const before = this.requests.get(id) ?? null;
    const decision = seatRequestDecider.decide(command, before);
    if (isRejection(decision) || decision.length === 0) return;
    const after = decision.reduce((state, event) => seatRequestDecider.evolve(state, event, at(this.now)), before);
    this.#take((seatRequestDecider.sideEvents?.(before, after, command) ?? []) as unknown as readonly CapacityEvent[]);
    this.requests.set(id, after);
  }

  #take(events: readonly CapacityEvent[]): void {
    for (const event of events) this.seats = capacityDecider.evolve(this.seats, event, at(this.now));
  }
}

const at = (now: string) => ({ at: now, version: 1 });

const total = ({ seats, now }: World): number => takenSeats(seats) + liveHolds(seats, now).length;

const step = fc.record({
  do: fc.constantFrom('ask', 'ask', 'return', 'hold', 'take', 'release', 'limit'),
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  number: fc.integer({ min: 0, max: 4 }),
});

test('with orders and requests in any order, none is answered twice, and never more have a seat than there are (10,000 histories)', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const world = new World();
      let limit: number | null = 2;
      for (const { do: what, id, number } of steps) {
        const { now } = world;
        const wish = { ...item, request_id: `request_${id}` };
        const line = { ...item, request_id: `line_${id}` };
        const [before, was] = [world.requests.get(id), total(world)];
        if (what === 'limit') limit = number === 0 ? null : number;
        if (what === 'ask') world.request(id, { type: 'AnswerSeatRequest', ...wish, seats: world.seats, limit, now });
        if (what === 'return') world.request(id, { type: 'ReturnSeat', ...wish, seats: world.seats });
        if (what === 'hold' && limit !== null)
          world.order({ type: 'HoldSeat', ...line, limit, expires_at: world.later(number), now });
        if (what === 'take' && world.seats.limit !== null) world.order({ type: 'TakeSeat', ...line, limit, now });
        if (what === 'release') world.order({ type: 'ReleaseSeat', ...line });
        if (before && what === 'ask') expect(world.requests.get(id)).toBe(before);
        // Only another limit leaves more than there are to be.
        expect(total(world)).toBeLessThanOrEqual(Math.max(limit ?? Number.POSITIVE_INFINITY, was));
      }
      const counted = [...world.requests].filter(([, state]) => state?.status === 'counted').map(([id]) => id);
      const taken = Object.keys(world.seats.taken).filter((id) => id.startsWith('request_'));
      expect(taken.toSorted()).toEqual(counted.map((id) => `request_${id}`).toSorted());
    }),
    { numRuns: 10_000 },
  );
}, 120_000);
