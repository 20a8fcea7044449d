import { describe, expect, test } from '@jest/globals';
import { isRejection } from '@lyceum/kernel';
import { given } from '@lyceum/testkit';
import fc from 'fast-check';
import { type CapacityCommand, type CapacityState, capacityDecider, liveHolds, takenSeats } from './capacity.ts';

const item = { item_type: 'course', item_id: 'course_1' } as const;
const [now, later, latest] = ['2026-01-05T08:00:00.000Z', '2026-01-05T08:40:00.000Z', '2026-01-05T09:00:00.000Z'];
const seat = (request_id: string) => ({ ...item, request_id });
const limited = { type: 'SeatLimitSet', data: { ...item, limit: 1 } } as const;
const held = (request_id: string) => ({ type: 'SeatHeld', data: { ...seat(request_id), expires_at: later } }) as const;
const taken = (request_id: string, count = 1) =>
  ({ type: 'SeatTaken', data: { ...seat(request_id), taken: count, limit: 1 } }) as const;
const hold = (request_id: string, at = now, limit: number | null = 1) =>
  ({ type: 'HoldSeat', ...seat(request_id), limit, expires_at: later, now: at }) as const;
const take = (request_id: string, at = now) => ({ type: 'TakeSeat', ...seat(request_id), now: at }) as const;

describe('the seats of an item', () => {
  test('are held with the limit of now, and sold out for the next', () => {
    given(capacityDecider).when(hold('a')).then(limited, held('a'));
    given(capacityDecider, limited, held('a')).when(hold('a')).unchanged();
    given(capacityDecider, limited, held('a')).when(hold('b')).rejected('sold_out');
    given(capacityDecider, limited, taken('a')).when(hold('b')).rejected('sold_out');
  });

  test('are free again when the time of a hold is over, without anybody saying so', () => {
    given(capacityDecider, limited, held('a')).when(hold('b', later)).then(held('b'));
    given(capacityDecider, limited, held('a'), held('b')).when(take('a', later)).then(taken('a'));
    given(capacityDecider, limited, held('a')).when(take('b', latest)).then(taken('b'));
    given(capacityDecider, limited, taken('b')).when(take('a', latest)).rejected('sold_out');
  });

  test('are told to be free once the time of a hold is over, and not when they were taken, given back or held longer', () => {
    const end = (at: string) => ({ type: 'EndHold', ...seat('a'), now: at }) as const;
    const freed = { type: 'SeatReleased', data: { ...seat('a'), taken: 0, limit: 1 } } as const;
    given(capacityDecider, limited, held('a')).when(end(now)).unchanged();
    given(capacityDecider, limited, held('a')).when(end(later)).then(freed);
    given(capacityDecider, limited, held('a'), freed).when(end(later)).unchanged();
    given(capacityDecider, limited, held('a'), taken('a')).when(end(later)).unchanged();
    const longer = { ...held('a'), data: { ...held('a').data, expires_at: latest } };
    given(capacityDecider, limited, held('a'), longer).when(end(later)).unchanged();
    // Somebody else has taken it since: it is told who is left, and that nothing is held any more.
    given(capacityDecider, limited, held('a'), taken('b'))
      .when(end(later))
      .then({ ...freed, data: { ...freed.data, taken: 1 } });
  });

  test('are taken once', () => {
    given(capacityDecider, limited, held('a')).when(take('a')).then(taken('a'));
    given(capacityDecider, limited, held('a'), taken('a')).when(take('a')).unchanged();
  });

  test('are given back, whether held or taken', () => {
    const release = { type: 'ReleaseSeat', ...seat('a') } as const;
    const released = { type: 'SeatReleased', data: { ...seat('a'), taken: 0, limit: 1 } } as const;
    given(capacityDecider, limited, held('a')).when(release).then(released);
    given(capacityDecider, limited, held('a'), taken('a')).when(release).then(released);
    given(capacityDecider, limited, held('a'), taken('a'), released).when(release).unchanged();
    given(capacityDecider, limited, held('a'), taken('a'), released).when(hold('b')).then(held('b'));
  });

  test('may have a limit below what is taken: then nothing more is sold', () => {
    const two = { type: 'SeatLimitSet', data: { ...item, limit: 2 } } as const;
    const both = [two, held('a'), held('b'), taken('a'), taken('b', 2)];
    given(capacityDecider, ...both)
      .when({ type: 'SetSeatLimit', ...item, limit: 1 })
      .then(limited);
    given(capacityDecider, ...both, limited)
      .when(hold('c'))
      .rejected('sold_out');
    given(capacityDecider, ...both, limited)
      .when(hold('c', now, 3))
      .then({ type: 'SeatLimitSet', data: { ...item, limit: 3 } }, held('c'));
    given(capacityDecider, limited)
      .when({ type: 'SetSeatLimit', ...item, limit: 1 })
      .unchanged();
  });

  test('are never more than there are, in any order of events (10,000 histories)', () => {
    const minute = fc.integer({ min: 0, max: 90 });
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const step = fc.record({
      do: fc.constantFrom('hold', 'take', 'release', 'end'),
      id,
      after: fc.integer({ min: 0, max: 20 }),
      lasts: minute,
    });
    const timeOf = (minutes: number) => new Date(Date.UTC(2026, 0, 5) + minutes * 60_000).toISOString();
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 25 }), (limit, steps) => {
        let state: CapacityState = capacityDecider.initial;
        let minutes = 0;
        for (const each of steps) {
          minutes += each.after;
          const at = timeOf(minutes);
          const about = seat(each.id);
          const commands: Record<string, CapacityCommand> = {
            hold: { type: 'HoldSeat', ...about, limit, expires_at: timeOf(minutes + each.lasts), now: at },
            take: { type: 'TakeSeat', ...about, now: at },
            release: { type: 'ReleaseSeat', ...about },
            end: { type: 'EndHold', ...about, now: at },
          };
          // A seat is only taken where one was asked for: the limit is known then.
          if (each.do === 'take' && state.limit === null) continue;
          const decision = capacityDecider.decide(commands[each.do]!, state);
          if (isRejection(decision)) continue;
          const [before, had] = [liveHolds(state, at), state.taken[each.id]];
          for (const event of decision) state = capacityDecider.evolve(state, event, { at, version: 1 });
          // That a hold ends takes nothing from anybody.
          if (each.do === 'end') expect([liveHolds(state, at), state.taken[each.id]]).toEqual([before, had]);
          expect(takenSeats(state) + liveHolds(state, at).length).toBeLessThanOrEqual(limit);
        }
      }),
      { numRuns: 10_000 },
    );
  });
});
