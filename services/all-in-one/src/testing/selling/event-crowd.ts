import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, Client, type Place, call } from '@lyceum/testkit';

/** Milliseconds that something may take which has to happen. */
const patience = 150_000;

/** A registration as the staff read it. */
export interface Attendee {
  readonly id: string;
  readonly status: string;
  readonly requested_at: string;
}

/** The owner of a school with an event, and a crowd that wants to come. */
export class EventCrowd {
  readonly #system: Place;
  readonly #token: string;
  readonly event: string;

  private constructor(system: Place, token: string, event: string) {
    this.#system = system;
    this.#token = token;
    this.event = event;
  }

  /** Publishes an event of so many seats in a day. */
  static async open(system: Place, capacity: number): Promise<EventCrowd> {
    const client = await Client.register(system.baseUrl);
    const scope = 'events:read events:write';
    const { access_token: token } = await client.tokens('owner@lantern.test', system.password, scope);
    const day = Date.now() + 86_400_000;
    const times = { starts_at: new Date(day).toISOString(), ends_at: new Date(day + 3_600_000).toISOString() };
    const json = { title: 'Raced evening', capacity, ...times };
    const made = await call(`${system.baseUrl}/api/events`, { token, json });
    const open = await call(`${system.baseUrl}/api/events/${made.body.id}/publish`, { token, json: {} });
    if (open.body.status !== 'published') throw new Error(`no event: ${JSON.stringify([made.body, open.body])}`);
    return new EventCrowd(system, token, made.body.id);
  }

  /** So many guests register at once, and repeat it with the same key until they are answered; gives what they were answered. */
  register(people: number, from = 0): Promise<readonly Answer[]> {
    return Promise.all(Array.from({ length: people }, (_, index) => this.#insist(from + index)));
  }

  async #insist(index: number): Promise<Answer> {
    const json = { email: `crowd-${this.event.slice(-8)}-${index}@events.test`, name: `Guest ${index}` };
    const headers = { 'idempotency-key': `"crowd-${this.event}-${index}"` };
    for (const began = performance.now(); performance.now() - began < patience; await pause(50)) {
      const path = `${this.#system.baseUrl}/api/events/${this.event}/registrations`;
      const answer = await call(path, { json, headers }).catch(() => undefined);
      const isOn = answer?.body.error === 'idempotency_in_progress';
      if (answer && answer.status < 500 && !isOn) return answer;
    }
    throw new Error(`guest ${index} is not answered`);
  }

  /** All registrations, those first that were asked for first, once `is` holds. */
  async attendees(is: (all: readonly Attendee[]) => boolean): Promise<readonly Attendee[]> {
    let all: readonly Attendee[] = [];
    for (const began = performance.now(); performance.now() - began < patience; await pause(50)) {
      const found = await this.#staff('?limit=100&sort=created_at').catch(() => undefined);
      all = found?.body.data ?? all;
      if (found && is(all)) return all.toSorted((one, other) => (one.requested_at < other.requested_at ? -1 : 1));
    }
    throw new Error(`it does not become so: ${JSON.stringify(all.map(({ status }) => status))}`);
  }

  /** The staff cancel a registration. */
  async cancel(id: string): Promise<void> {
    const { status, body } = await this.#staff(`/${id}/cancel`, {});
    if (status !== 200) throw new Error(JSON.stringify(body));
  }

  #staff(path: string, json?: object): Promise<Answer> {
    const at = `${this.#system.baseUrl}/api/events/${this.event}/registrations${path}`;
    return call(at, { token: this.#token, ...(json ? { json } : {}) });
  }
}

/** How many registrations have a status. */
export const countOf = (all: readonly Attendee[], status: string): number =>
  all.filter((each) => each.status === status).length;
