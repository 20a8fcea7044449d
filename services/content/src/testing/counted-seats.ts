import type { Message } from '@lyceum/channel';
import type { ServiceUnderTest } from '@lyceum/testkit-service';

interface Seat {
  /** The school of the request; the first one when not given. */
  readonly school?: string;
  readonly item_type: string;
  readonly item_id: string;
  readonly request_id: string;
}

/** The commerce service, as far as seats are asked of it: it counts them, and answers each request once. */
export class CountedSeats {
  readonly #service: Pick<ServiceUnderTest, 'publish' | 'channel'>;
  readonly #limits = new Map<string, number | null>();
  readonly #taken = new Map<string, Set<string>>();
  readonly #answered = new Set<string>();
  #held: Promise<void> | undefined;

  constructor(service: Pick<ServiceUnderTest, 'publish' | 'channel'>) {
    this.#service = service;
    service.channel.subscribe({
      consumer: 'seats-of-a-test',
      source: 'content',
      from: () => Promise.resolve(0),
      handle: (message) => this.#take(message),
    });
  }

  /** How many seats of an event are taken. */
  taken(event: string): number {
    return this.#of(event).size;
  }

  /** Takes a seat for the line of an order. */
  async sell(event: string, line_id: string): Promise<void> {
    this.#of(event).add(line_id);
    await this.#say('SeatTaken', { item_type: 'event', item_id: event, request_id: line_id });
  }

  /** Answers nothing until what it gives is called. */
  hold(): () => void {
    let release = (): void => undefined;
    this.#held = new Promise((resolve) => (release = resolve));
    return () => {
      this.#held = undefined;
      release();
    };
  }

  #of(event: string): Set<string> {
    const taken = this.#taken.get(event) ?? new Set();
    this.#taken.set(event, taken);
    return taken;
  }

  async #take({ facts, tenant: school }: Message): Promise<void> {
    for (const { type, data } of facts) {
      await this.#held;
      const seat = { ...(data as Seat & { readonly event_id: string; readonly capacity: number | null }), school };
      if (type === 'EventCreated') this.#limits.set(seat.event_id, seat.capacity);
      if (type === 'EventCapacityChanged') await this.#limit(seat.event_id, seat.capacity);
      if (type === 'SeatRequested') await this.#ask(seat);
      if (type === 'SeatReturned') await this.#return(seat);
    }
  }

  async #limit(item_id: string, limit: number | null): Promise<void> {
    this.#limits.set(item_id, limit);
    await this.#sayLimit({ item_id }, limit);
  }

  #sayLimit({ item_id, school }: Pick<Seat, 'item_id' | 'school'>, limit: number | null): Promise<void> {
    const data = { item_type: 'event', item_id, limit };
    return this.#service.publish('commerce', {
      type: 'SeatLimitSet',
      data,
      ...(school === undefined ? {} : { school }),
    });
  }

  async #ask(seat: Seat): Promise<void> {
    if (this.#answered.has(seat.request_id)) return;
    this.#answered.add(seat.request_id);
    const limit = this.#limits.get(seat.item_id) ?? null;
    // Of what is limited nobody has counted anything before it is asked for.
    if (limit !== null && !this.#taken.has(seat.item_id)) await this.#sayLimit(seat, limit);
    const taken = this.#of(seat.item_id);
    if (limit !== null && taken.size >= limit) return this.#say('SeatDenied', seat);
    if (limit !== null) taken.add(seat.request_id);
    return this.#say('SeatTaken', seat);
  }

  async #return(seat: Seat): Promise<void> {
    this.#answered.add(seat.request_id);
    if (this.#of(seat.item_id).delete(seat.request_id)) await this.#say('SeatReleased', seat);
  }

  #say(type: string, { school, item_type, item_id, request_id }: Seat): Promise<void> {
    const limit = this.#limits.get(item_id) ?? null;
    const data = { item_type, item_id, request_id, taken: this.#of(item_id).size, limit };
    return this.#service.publish('commerce', { type, data, ...(school === undefined ? {} : { school }) });
  }
}
