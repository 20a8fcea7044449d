import type { Channel, InboxPlace, Subscribed, Subscription } from '@lyceum/channel';
import { checkpointFrom } from '@lyceum/kernel';

/** How far one consumer of this process is in one lane, and what it met on the way since the process started. */
export interface Consumed {
  readonly consumer: string;
  readonly source: string;
  readonly lane: number;
  /** Position of the last message handled. */
  watermark: number;
  duplicates: number;
  gaps: number;
}

/** What a service wants its operator to look into; 0: over. */
interface Alarm {
  readonly service: string;
  readonly name: string;
  readonly value: number;
}

/** A school of which nothing is published any more. */
export interface WithheldSchool {
  readonly source: string;
  readonly school: string;
  readonly lane: number;
  readonly position: number;
  readonly since: string;
  readonly error: string;
}

/** The keys that sign for the schools, and verify what was signed. */
export interface KeysInUse {
  /** How many keys there are of each status. */
  readonly byStatus: Readonly<Record<string, number>>;
  /** When the oldest key that signs now began to, seconds since the epoch; undefined when none signs. */
  readonly oldestSince: number | undefined;
}

const placeOf = (...parts: readonly (string | number)[]): string => JSON.stringify(parts);

/** What this process does behind its requests, as it happens. In memory: it begins with the process. */
export class Watch {
  readonly #relayed = new Map<string, number>();
  readonly #consumed = new Map<string, Consumed>();
  readonly #subscribed = new Map<Subscription, Subscribed>();
  readonly #withheld = new Map<string, readonly WithheldSchool[]>();
  readonly #alarms = new Map<string, Alarm>();

  /** Records of the channel since the start that nobody can read, each kept as a dead letter. */
  deadLetters: () => number = () => 0;
  /** Set where this process looks after the signing keys. */
  keys: KeysInUse | undefined;

  /** Something that operators should look into, in a number that they understand; 0 when it is over. */
  alarm(service: string, name: string, value: number): void {
    this.#alarms.set(placeOf(service, name), { service, name, value });
  }

  /** An alarm that may be raised: it is 0 until it is, so that monitoring sees that it is there. */
  expect(service: string, name: string): void {
    if (!this.#alarms.has(placeOf(service, name))) this.alarm(service, name, 0);
  }

  /** The schools whose facts a service withholds at present: an alarm while there are any. */
  withholding(service: string, schools: readonly WithheldSchool[]): void {
    this.#withheld.set(service, schools);
    if (schools.length > 0 || this.#alarms.has(placeOf(service, 'withheld_facts')))
      this.alarm(service, 'withheld_facts', schools.length);
  }

  /** All schools whose facts are withheld. */
  withheld(): readonly WithheldSchool[] {
    return [...this.#withheld.values()].flat();
  }

  /** All that was ever raised here. */
  alarms(): readonly Alarm[] {
    return [...this.#alarms.values()];
  }

  /** This process does not relay a lane of the service any more: where it was says nothing. */
  relayEnded(service: string, lane: number): void {
    this.#relayed.delete(placeOf(service, lane));
  }

  /** A relay has handed on a lane of a service up to a position, or begins there. */
  relayed(service: string, lane: number, position: number): void {
    this.#relayed.set(placeOf(service, lane), position);
  }

  /** Up to where this process has relayed a lane; undefined when it does not relay it. */
  relay(service: string, lane: number): number | undefined {
    return this.#relayed.get(placeOf(service, lane));
  }

  /** A consumer dropped a message that it had handled before. */
  duplicate(at: InboxPlace): void {
    this.#at(at).duplicates += 1;
  }

  /** A consumer found something missing. */
  gap(at: InboxPlace): void {
    this.#at(at).gaps += 1;
  }

  /** All consumers, lane by lane; a lane that went to another process is reported there. */
  consumers(): readonly Consumed[] {
    const held = new Set(
      [...this.#subscribed].flatMap(([{ consumer, source }, subscribed]) =>
        subscribed.lanes().map((lane) => placeOf(consumer, source, lane)),
      ),
    );
    return [...this.#consumed].flatMap(([place, consumed]) => (held.has(place) ? [consumed] : []));
  }

  /** The same channel, whose subscriptions are watched. */
  through(channel: Channel): Channel {
    return {
      offer: (...offer) => channel.offer(...offer),
      publish: (messages) => channel.publish(messages),
      subscribe: (subscription) => {
        const subscribed = channel.subscribe(this.#watched(subscription));
        this.#subscribed.set(subscription, subscribed);
        return {
          lanes: () => subscribed.lanes(),
          caughtUp: () => subscribed.caughtUp(),
          close: () => subscribed.close().finally(() => this.#forget(subscription)),
        };
      },
      close: () => channel.close(),
    };
  }

  #watched(subscription: Subscription): Subscription {
    const { consumer, source } = subscription;
    return {
      ...subscription,
      from: async (lane, ...owner) => {
        const at = checkpointFrom(await subscription.from(lane, ...owner));
        this.#at({ consumer, source, lane }).watermark = at.position;
        return at;
      },
      ...(subscription.diverged && { diverged: async (lane) => subscription.diverged!(lane) }),
      handle: async (message) => {
        await subscription.handle(message);
        this.#at({ consumer, source, lane: message.lane }).watermark = message.position;
      },
      ...(subscription.handleAll && {
        handleAll: async (messages) => {
          await subscription.handleAll!(messages);
          for (const { lane, position } of messages.slice(-1))
            this.#at({ consumer, source, lane }).watermark = position;
        },
      }),
    };
  }

  /** Nobody waits for a consumer that has ended. */
  #forget(subscription: Subscription): void {
    const { consumer, source } = subscription;
    this.#subscribed.delete(subscription);
    for (const [place, each] of this.#consumed)
      if (each.consumer === consumer && each.source === source) this.#consumed.delete(place);
  }

  #at({ consumer, source, lane }: InboxPlace): Consumed {
    const place = placeOf(consumer, source, lane);
    const known = this.#consumed.get(place) ?? { consumer, source, lane, watermark: 0, duplicates: 0, gaps: 0 };
    this.#consumed.set(place, known);
    return known;
  }
}
