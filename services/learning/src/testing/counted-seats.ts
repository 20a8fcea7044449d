import type { Message } from '@lyceum/channel';
import { type FactOf, facts } from '@lyceum/contracts';
import type { ServiceUnderTest } from '@lyceum/testkit-service';

type Request = Extract<FactOf<'learning'>, { type: 'SeatRequested' | 'SeatReturned' }>['data'];

const request = facts.learning.SeatReturned.data;

/** The commerce service, as far as it counts seats: each course of a school has so many, as requests come. */
export class CountedSeats {
  /** Requests and returns, in order, by what they are and the number of their request in its enrollment. */
  readonly heard: string[] = [];
  /** What it has published. */
  readonly answers: Parameters<ServiceUnderTest['publish']>[1][] = [];
  #service: Pick<ServiceUnderTest, 'publish'> | undefined;
  readonly #limits: Readonly<Record<string, number>>;
  readonly #taken = new Map<string, Set<string>>();
  /** What was taken in: each request is answered once, and returned once, however often it comes. */
  readonly #known = new Set<string>();
  #held: (() => Promise<void>)[] | undefined;

  constructor(limits: Readonly<Record<string, number>>) {
    this.#limits = limits;
  }

  /** Publishes to a service from here on. */
  answer(service: Pick<ServiceUnderTest, 'publish'>): void {
    this.#service = service;
  }

  /** Takes what the learning service publishes. */
  async take({ tenant, facts: all }: Pick<Message, 'tenant' | 'facts'>): Promise<void> {
    for (const { type, data } of all) {
      if (type !== 'SeatRequested' && type !== 'SeatReturned') continue;
      const asked = request.parse(data);
      const id = `${tenant} ${type} ${asked.request_id}`;
      if (this.#known.has(id)) continue;
      this.#known.add(id);
      this.heard.push(type);
      const work = () => (type === 'SeatRequested' ? this.#answer(tenant, asked) : this.#release(tenant, asked));
      if (this.#held) this.#held.push(work);
      else await work();
    }
  }

  /** Answers nothing until what it gives is called, which answers in order. */
  hold(): () => Promise<void> {
    const held: (() => Promise<void>)[] = [];
    this.#held = held;
    return async () => {
      if (this.#held === held) this.#held = undefined;
      for (const work of held) await work();
    };
  }

  /** How many seats of a course are taken. */
  taken(course: string, school = 'school_1'): number {
    return this.#of(school, course).size;
  }

  #of(school: string, course: string): Set<string> {
    const key = `${school} ${course}`;
    const taken = this.#taken.get(key) ?? new Set<string>();
    this.#taken.set(key, taken);
    return taken;
  }

  async #answer(school: string, asked: Request): Promise<void> {
    const { item_type, item_id, request_id } = asked;
    const seats = this.#of(school, item_id);
    const limit = this.#limits[item_id] ?? null;
    const type = limit === null || seats.size < limit ? 'SeatTaken' : 'SeatDenied';
    if (type === 'SeatTaken') seats.add(request_id);
    const data = { item_type, item_id, request_id, taken: seats.size, limit };
    const fact = { type, data, school };
    this.answers.push(fact);
    await this.#service?.publish('commerce', fact);
  }

  async #release(school: string, { item_id, request_id }: Request): Promise<void> {
    this.#of(school, item_id).delete(request_id);
  }
}
