import type { Channel, Message } from '../port.ts';

/** How often each fault happens to a message, from 0 to 1. */
export interface Faults {
  /** The same seed gives the same faults. */
  readonly seed: number;
  readonly drop?: number;
  readonly duplicate?: number;
  /** Some earlier messages of the lane come again, in their order. */
  readonly rewind?: number;
  /** The message comes only after later ones. */
  readonly delay?: number;
}

/** Numbers from 0 to 1 that only depend on the seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How many messages of a lane are kept to come again. */
const remembered = 20;

/**
 * A channel, for tests, that loses, repeats, rewinds and delays what is published through it. Offers, subscriptions and
 * the owner's history are those of the channel inside.
 */
export function faultyChannel(
  inner: Channel,
  { seed, drop = 0, duplicate = 0, rewind = 0, delay = 0 }: Faults,
): Channel {
  const random = seeded(seed);
  const past = new Map<string, Message[]>();
  let held: Message[] = [];

  const again = (message: Message): readonly Message[] => {
    const key = `${message.source}/${message.lane}`;
    const before = past.get(key) ?? [];
    past.set(key, [...before, message].slice(-remembered));
    return random() < rewind ? before.slice(Math.floor(random() * before.length)) : [];
  };

  return {
    offer: (...args) => inner.offer(...args),
    subscribe: (subscription) => inner.subscribe(subscription),
    close: () => inner.close(),
    async publish(messages) {
      const late = random() < 0.5 ? held.splice(0) : [];
      const out: Message[] = [];
      for (const message of messages) {
        out.push(...again(message));
        if (random() < drop) continue;
        if (random() < delay) held = [...held, message];
        else out.push(message, ...(random() < duplicate ? [message] : []));
      }
      for (const message of [...out, ...late]) await inner.publish([message]);
    },
  };
}
