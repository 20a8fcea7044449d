import { describe, expect, test } from '@jest/globals';
import { isRejection } from '@lyceum/kernel';
import fc from 'fast-check';
import type { RegistrationEvent } from '../registrations/registration.events.ts';
import type { RegistrationState } from '../registrations/registration.state.ts';
import { type RegistrationCommand, registrationDecider, registrationOf } from '../registrations/registration.ts';
import type { SeatingEvent } from '../seating/seating.events.ts';
import { type Seating, type SeatingCommand, seatingDecider } from '../seating/seating.ts';

const people = 8;
const idOf = (person: number): string => `registration_00000000-0000-5000-8000-00000000000${person}`;

/** Something that happens: somebody does something, or one of those who listen hears the next thing. */
type Step =
  | { readonly do: 'register' | 'cancel'; readonly who: number }
  | { readonly do: 'sell' | 'refund' | 'hear' | 'answer' | 'follow' }
  | { readonly do: 'limit'; readonly limit: number | null };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('register' as const), who: fc.nat(people - 1) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel' as const), who: fc.nat(people - 1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('sell' as const, 'refund' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('limit' as const), limit: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 12, arbitrary: fc.record({ do: fc.constantFrom('hear' as const, 'answer' as const, 'follow' as const) }) },
);

interface Answer {
  readonly type: 'SeatTaken' | 'SeatDenied' | 'SeatReleased' | 'SeatLimitSet';
  readonly request_id?: string;
  readonly taken: number;
  readonly limit: number | null;
}

/**
 * One event, those who register, and commerce in little, which counts the seats in one order. What each publishes waits until
 * the other hears it: content's requests, commerce's answers, and what follows from content's own events.
 */
class World {
  readonly #registrations = new Map<string, { state: RegistrationState; version: number }>();
  #seating: Seating = seatingDecider.initial;
  readonly #taken = new Set<string>();
  readonly #returned = new Set<string>();
  #limit: number | null;
  #clock = 0;
  #sold = 0;
  readonly #requests: RegistrationEvent[] = [];
  readonly #answers: Answer[] = [];
  readonly #own: { readonly id: string; readonly event: RegistrationEvent | SeatingEvent }[] = [];
  /** More seats than there were may be taken only where the limit went below what was taken. */
  most: number;

  constructor(limit: number) {
    this.#limit = limit;
    this.most = limit;
  }

  take(next: Step): void {
    this.#clock += 1;
    switch (next.do) {
      case 'register':
        return this.#register(idOf(next.who));
      case 'cancel':
        return void this.#tell(idOf(next.who), { type: 'Cancel', reason: 'self' });
      case 'sell':
        return this.#sell();
      case 'refund':
        return this.#refund();
      case 'limit':
        return this.#setLimit(next.limit);
      case 'hear':
        return this.#hear();
      case 'answer':
        return this.#answered();
      case 'follow':
        return this.#follow();
    }
  }

  /** Everything is heard. */
  rest(): void {
    while (this.#requests.length + this.#answers.length + this.#own.length > 0)
      for (const next of ['hear', 'answer', 'follow'] as const) this.take({ do: next });
  }

  get states(): readonly NonNullable<RegistrationState>[] {
    return [...this.#registrations.values()].flatMap(({ state }) => state ?? []);
  }

  get taken(): number {
    return this.#taken.size;
  }

  get sold(): number {
    return this.#sold;
  }

  get limit(): number | null {
    return this.#limit;
  }

  #now(): string {
    return new Date(1_767_600_000_000 + this.#clock).toISOString();
  }

  #register(id: string): void {
    const queued = this.#seating.waiting.length > 0;
    const person = { event_id: 'event_1', member_id: id, guest: null, starts_at: '2026-02-01T18:00:00.000Z' };
    this.#tell(id, { type: 'Register', id, ...person, queued });
  }

  #tell(id: string, command: RegistrationCommand): RegistrationState | undefined {
    const known = this.#registrations.get(id) ?? { state: null, version: 0 };
    const decided = registrationDecider.decide(command, known.state);
    if (isRejection(decided)) return undefined;
    let { state, version } = known;
    for (const event of decided) {
      version += 1;
      state = registrationDecider.evolve(state, event, { at: this.#now(), version });
      if (event.type === 'SeatRequested' || event.type === 'SeatReturned') this.#requests.push(event);
      this.#own.push({ id, event });
    }
    this.#registrations.set(id, { state, version });
    return state;
  }

  #tellSeating(command: SeatingCommand): void {
    const decided = seatingDecider.decide(command, this.#seating);
    if (isRejection(decided)) throw new Error('seating refuses nothing');
    for (const event of decided) {
      this.#seating = seatingDecider.evolve(this.#seating, event, { at: this.#now(), version: 1 });
      this.#own.push({ id: 'seating', event });
    }
  }

  #say(type: Answer['type'], request_id?: string): void {
    this.#answers.push({ type, taken: this.#taken.size, limit: this.#limit, ...(request_id ? { request_id } : {}) });
  }

  /** Commerce hears the next request. */
  #hear(): void {
    const event = this.#requests.shift();
    if (event?.type === 'SeatReturned') {
      this.#returned.add(event.data.request_id);
      if (this.#taken.delete(event.data.request_id)) this.#say('SeatReleased', event.data.request_id);
    }
    if (event?.type !== 'SeatRequested' || this.#returned.has(event.data.request_id)) return;
    const { request_id } = event.data;
    if (this.#limit !== null && this.#taken.size >= this.#limit) return this.#say('SeatDenied', request_id);
    this.#taken.add(request_id);
    this.#say('SeatTaken', request_id);
  }

  /** Somebody buys a seat, or gives one back. */
  #sell(): void {
    if (this.#limit !== null && this.#taken.size >= this.#limit) return;
    this.#sold += 1;
    this.#taken.add(`order.${this.#clock}`);
    this.#say('SeatTaken', `order.${this.#clock}`);
  }

  #refund(): void {
    const line = [...this.#taken].find((each) => each.startsWith('order.'));
    if (line === undefined) return;
    this.#sold -= 1;
    this.#taken.delete(line);
    this.#say('SeatReleased', line);
  }

  #setLimit(limit: number | null): void {
    this.#limit = limit;
    this.most = Math.max(this.most, limit ?? this.most);
    this.#say('SeatLimitSet');
  }

  /** Content hears the next answer. */
  #answered(): void {
    const answer = this.#answers.shift();
    if (!answer) return;
    const { type, request_id, taken, limit } = answer;
    const id = request_id === undefined ? undefined : registrationOf(request_id);
    if (id !== undefined && request_id !== undefined && type === 'SeatDenied') {
      const state = this.#tell(id, { type: 'DenySeat', request_id, waitlist: true });
      if (state?.status === 'waitlisted' && state.request_id === null) {
        this.#tellSeating({ type: 'DenyPromotion', registration_id: id });
        const waiting = { registration_id: id, requested_at: state.requested_at };
        this.#tellSeating({ type: 'JoinWaitlist', waiting, denied: true });
      }
    }
    if (id !== undefined && request_id !== undefined && type === 'SeatTaken') {
      this.#tell(id, { type: 'ConfirmSeat', request_id, uncounted: limit === null });
      this.#leave(id);
    }
    const freed = type === 'SeatReleased' || type === 'SeatLimitSet';
    this.#tellSeating({ type: 'CountSeats', limit, freed, ...(type === 'SeatLimitSet' ? {} : { taken }) });
  }

  #leave(id: string): void {
    if (this.#registrations.get(id)?.state?.status === 'waitlisted') return;
    this.#tellSeating({ type: 'LeaveWaitlist', registration_id: id });
  }

  /** What follows from the next event of content. */
  #follow(): void {
    const next = this.#own.shift();
    if (!next) return;
    const { id, event } = next;
    if (event.type === 'RegistrationCanceled') this.#leave(id);
    if (event.type === 'PromotionBegun') {
      const { registration_id } = event.data;
      if (!this.#tell(registration_id, { type: 'RequestSeat', id: registration_id })) this.#leave(registration_id);
    }
    if (event.type !== 'RegistrationRequested' || !event.data.queued) return;
    const state = this.#tell(id, { type: 'Queue' });
    if (state?.status !== 'waitlisted' || state.request_id !== null) return;
    const waiting = { registration_id: id, requested_at: state.requested_at };
    this.#tellSeating({ type: 'JoinWaitlist', waiting, denied: false });
  }
}

const count = (world: World, status: string): number => world.states.filter((each) => each.status === status).length;

describe('registrations and seats, in whatever order each hears of the other', () => {
  test('have no more seats than there are, leave none free while somebody waits, and leave nobody in between', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60, size: 'max' }), (limit, steps) => {
        const world = new World(limit);
        for (const each of steps) {
          world.take(each);
          const most = Math.max(world.taken, count(world, 'confirmed') + world.sold);
          if (most > world.most) throw new Error(`${most} have one of ${world.most} seats`);
        }
        world.rest();
        const [confirmed, waiting] = [count(world, 'confirmed'), count(world, 'waitlisted')];
        expect(count(world, 'pending')).toBe(0);
        expect(confirmed + world.sold).toBe(world.taken);
        if (waiting > 0) expect(world.taken).toBeGreaterThanOrEqual(world.limit ?? Infinity);
      }),
      { numRuns: 10_000 },
    );
  }, 120_000);

  test('are confirmed in the order in which they came, when each is heard before the next', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), fc.array(fc.nat(people - 1), { maxLength: 20 }), (limit, leaving) => {
        const world = new World(limit);
        for (let who = 0; who < people; who += 1) {
          world.take({ do: 'register', who });
          world.rest();
        }
        for (const who of leaving) {
          world.take({ do: 'cancel', who });
          world.rest();
        }
        const statuses = world.states.map(({ status }) => status).filter((status) => status !== 'canceled');
        const firstWaiting = statuses.indexOf('waitlisted');
        if (firstWaiting >= 0) expect(statuses.slice(firstWaiting)).not.toContain('confirmed');
      }),
      { numRuns: 2_000 },
    );
  }, 60_000);
});
