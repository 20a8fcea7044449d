import { expect, test } from '@jest/globals';
import { isRejection } from '@lyceum/kernel';
import fc from 'fast-check';
import type { EnrollmentEvent } from '../enrollments/enrollment.events.ts';
import { shownState } from '../enrollments/enrollment.seating.ts';
import type { EnrollmentState } from '../enrollments/enrollment.state.ts';
import { type EnrollmentCommand, enrollmentDecider } from '../enrollments/enrollment.ts';
import { hasAccess, isLive } from '../grants/grant.ts';

const members = ['a', 'b', 'c', 'd'] as const;
type Member = (typeof members)[number];

const course_id = 'course_1';
const timeOf = (hours: number): string => new Date(Date.UTC(2026, 0, 5) + hours * 3_600_000).toISOString();

/** What a service publishes to the other. */
interface Sent {
  readonly type: 'SeatRequested' | 'SeatReturned' | 'SeatTaken' | 'SeatDenied';
  readonly request_id: string;
  readonly member: Member;
}

/** The seats of a course as the commerce service promises to count them: each request is answered once. */
class Counter {
  readonly #limit: number;
  readonly #requests = new Map<string, 'taken' | 'denied' | 'returned'>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get taken(): readonly string[] {
    return [...this.#requests].flatMap(([id, status]) => (status === 'taken' ? id : []));
  }

  take({ type, request_id, member }: Sent): Sent | undefined {
    const known = this.#requests.get(request_id);
    if (type === 'SeatReturned') {
      if (known !== 'denied') this.#requests.set(request_id, 'returned');
      return undefined;
    }
    if (known) return undefined;
    const isFree = this.taken.length < this.#limit;
    this.#requests.set(request_id, isFree ? 'taken' : 'denied');
    return { type: isFree ? 'SeatTaken' : 'SeatDenied', request_id, member };
  }
}

/** Members of one course, and what is under way between the two services: in any order, and twice where it is repeated. */
class World {
  readonly states = new Map<Member, EnrollmentState>();
  readonly #versions = new Map<Member, number>();
  readonly counter: Counter;
  readonly #sent: Sent[] = [];
  #hours = 0;
  #sources = 0;

  constructor(limit: number) {
    this.counter = new Counter(limit);
  }

  get now(): string {
    return timeOf(this.#hours);
  }

  later(hours: number): void {
    this.#hours += hours;
  }

  source(): string {
    this.#sources += 1;
    return `commit_${this.#sources}`;
  }

  command(member: Member, command: EnrollmentCommand): void {
    const decision = enrollmentDecider.decide(command, this.states.get(member) ?? null);
    if (isRejection(decision)) return;
    for (const event of decision) this.#apply(member, event);
  }

  /** Delivers one of what is under way. `twice`: it comes once more later. */
  deliver(choice: number, twice: boolean): boolean {
    const index = choice % Math.max(1, this.#sent.length);
    const sent = this.#sent[index];
    if (!sent) return false;
    if (!twice) this.#sent.splice(index, 1);
    if (sent.type === 'SeatRequested' || sent.type === 'SeatReturned') {
      const answer = this.counter.take(sent);
      if (answer) this.#sent.push(answer);
      return true;
    }
    const { member, request_id } = sent;
    const type = sent.type === 'SeatTaken' ? 'TakeSeat' : 'RefuseSeat';
    this.command(member, { type, member_id: member, course_id, request_id, now: this.now });
    return true;
  }

  /** Notices all ends, and delivers all. */
  settle(): void {
    do
      for (const member of members)
        this.command(member, { type: 'ExpireAccess', member_id: member, course_id, now: this.now });
    while (this.deliver(0, false));
  }

  #apply(member: Member, event: EnrollmentEvent): void {
    const version = (this.#versions.get(member) ?? 0) + 1;
    this.#versions.set(member, version);
    this.states.set(
      member,
      enrollmentDecider.evolve(this.states.get(member) ?? null, event, { at: this.now, version }),
    );
    const { type, data } = event;
    if (type === 'SeatRequested' || type === 'SeatReturned')
      this.#sent.push({ type, request_id: data.request_id, member });
  }
}

/** Whether the member has access that needs a seat. */
const sits = (state: EnrollmentState, now: string): boolean =>
  state?.grants.some((grant) => grant.source_type !== 'order_line' && isLive(grant, now)) ?? false;

const step = fc.record({
  what: fc.constantFrom(
    ...(['staff', 'free', 'staff', 'order', 'revoke', 'refund', 'extend', 'expire', 'give up', 'later'] as const),
    ...(['deliver', 'deliver', 'deliver', 'deliver', 'again'] as const),
  ),
  who: fc.constantFrom(...members),
  number: fc.nat({ max: 7 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function perform(world: World, { what, who, number }: Step): void {
  const { now } = world;
  const about = { member_id: who, course_id, now };
  const expires_at = number === 0 ? null : timeOf((Date.parse(now) - Date.parse(timeOf(0))) / 3_600_000 + number);
  switch (what) {
    case 'staff':
    case 'free':
    case 'order': {
      const source_type = what === 'order' ? 'order_line' : what;
      const source = { source_type, source_id: what === 'order' ? `line_${number}` : world.source() } as const;
      return world.command(who, { type: 'GrantAccess', ...about, ...source, starts_at: now, expires_at, seat: true });
    }
    case 'refund': {
      const source = { source_type: 'order_line', source_id: `line_${number}` } as const;
      return world.command(who, { type: 'RevokeAccess', ...about, ...source, reason: 'refund' });
    }
    case 'revoke':
      return world.command(who, { type: 'RevokeStaffAccess', ...about });
    case 'extend':
      return world.command(who, { type: 'ExtendStaffAccess', ...about, expires_at, seat: true });
    case 'expire':
      return world.command(who, { type: 'ExpireAccess', ...about });
    case 'give up':
      return number === 0 ? world.command(who, { type: 'GiveUpSeat', ...about }) : undefined;
    case 'later':
      return world.later(number / 2);
    case 'deliver':
    case 'again':
      return void world.deliver(number, what === 'again');
  }
}

test('whatever is asked, answered, repeated and late: never more sit than there are seats, and no seat is left behind (10,000 histories)', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 }), fc.array(step, { minLength: 5, maxLength: 40 }), (limit, steps) => {
      const world = new World(limit);
      const gaveUp = new Set<Member>();
      for (const each of steps) {
        perform(world, each);
        if (each.what === 'give up' && each.number === 0) gaveUp.add(each.who);
        const sitting = members.filter((who) => !gaveUp.has(who) && sits(world.states.get(who) ?? null, world.now));
        expect(sitting.length).toBeLessThanOrEqual(limit);
        expect(world.counter.taken.length).toBeLessThanOrEqual(limit);
      }
      world.settle();
      const states = members.map((who) => ({ who, state: world.states.get(who) ?? null }));
      for (const { state } of states) expect(state?.seating.awaiting ?? []).toEqual([]);
      const seats = states.flatMap(({ state }) => state?.seating.request_id ?? []);
      expect(world.counter.taken.toSorted()).toEqual(seats.toSorted());
      for (const { who, state } of states) {
        if (state?.seating.request_id) expect(sits(state, world.now)).toBe(true);
        else if (!gaveUp.has(who)) expect(sits(state, world.now)).toBe(false);
        if (state) expect(shownState(state, hasAccess(state, world.now))).not.toBe('awaiting_seat');
      }
    }),
    { numRuns: 10_000 },
  );
}, 120_000);
