import { type Backfill, type Channel, Inbox, type Message, type Subscribed, type Subscription } from '@lyceum/channel';
import { storedJson } from '@lyceum/kernel';
import type { Spool } from './spool.ts';

/** Bytes at the end of a lane that a subscription hears again when it starts: repeats, and half a line. */
const rewound = 4_096;

/** Milliseconds: short, because lives are. */
const timing = { backoff: () => 5, idle: 40 };

/** A subscription's place in one lane of the spool. */
class Reader {
  readonly inbox: Inbox;
  readonly #spool: Spool;
  readonly #lane: number;
  #at: number;
  #rest = Buffer.alloc(0);

  constructor(spool: Spool, subscription: Subscription, lane: number, backfill: Backfill) {
    this.inbox = new Inbox(subscription, lane, backfill, timing);
    this.#spool = spool;
    this.#lane = lane;
    this.#at = Math.max(0, spool.size(lane) - rewound);
    this.poll();
  }

  /** Hands on what was appended since; a line that is no record was cut off, and is passed over. */
  poll(): void {
    const text = Buffer.concat([this.#rest, this.#spool.read(this.#lane, this.#at)]);
    this.#at += text.length - this.#rest.length;
    const end = text.lastIndexOf(0x0a) + 1;
    this.#rest = text.subarray(end);
    for (const line of text.subarray(0, end).toString().split('\n')) {
      const message = messageIn(line);
      if (message) this.inbox.receive(message);
    }
  }
}

/** The record of a line; undefined when the line is cut off. */
export function messageIn(line: string): Message | undefined {
  try {
    return storedJson(line);
  } catch {
    return undefined;
  }
}

/**
 * A channel whose transport is a spool: at least once, and it outlives its processes. A subscription that starts hears
 * the end of each lane again. One source.
 */
export function spoolChannel(spool: Spool, lanes: number): Channel {
  const readers = new Set<Reader>();
  let history: Backfill = () => Promise.reject(new Error('no source is offered'));
  return {
    offer(_source, _lanes, backfill) {
      history = backfill;
    },
    async publish(messages) {
      const lane = messages[0]!.lane;
      spool.append(lane, messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
      for (const reader of readers) reader.poll();
    },
    subscribe(subscription): Subscribed {
      const own = Array.from({ length: lanes }, (_, lane) => {
        return new Reader(spool, subscription, lane, (...asked) => history(...asked));
      });
      for (const reader of own) readers.add(reader);
      return {
        lanes: () => own.map((_, lane) => lane),
        caughtUp: async () => void (await Promise.all(own.map(({ inbox }) => inbox.caughtUp()))),
        close: async () => {
          for (const reader of own) readers.delete(reader);
          await Promise.all(own.map(({ inbox }) => inbox.close()));
        },
      };
    },
    close: async () => void (await Promise.all(Array.from(readers, ({ inbox }) => inbox.close()))),
  };
}
