import type { Checkpoint } from '@lyceum/kernel';

/** A fact that crosses services, as its owner declares it in `@lyceum/contracts`. Plain JSON. */
export interface Fact {
  readonly id: string;
  readonly type: string;
  readonly schema: number;
  /** The aggregate's stream in the owner's log. No personal data. */
  readonly subject: string;
  readonly version: number;
  readonly data: unknown;
}

/**
 * The facts of one commit. `previous` is the position of the last commit of the lane that had facts, so messages of a
 * lane form a chain: a receiver at watermark w accepts a message when previous ≤ w < position, drops it when
 * position ≤ w, and has missed something when previous > w.
 */
export interface Message {
  readonly source: string;
  readonly lane: number;
  readonly position: number;
  readonly previous: number;
  /** The ids of the commit and of the one at `previous`, by which another history is noticed. Releases before name neither. */
  readonly commitId?: string;
  readonly previousId?: string;
  /** Names the log epoch that positions count in, where a transport carries it. */
  readonly epoch?: string;
  readonly tenant: string;
  /** RFC 3339 UTC. */
  readonly at: string;
  /** When the commit came into the owner's log (RFC 3339 UTC), where that was later than `at`: this time grows along a lane. */
  readonly arrived?: string;
  readonly facts: readonly Fact[];
  /** W3C trace context of the request that made the commit. */
  readonly traceparent?: string;
}

/** One consumer's interest in one service's facts. */
export interface Subscription {
  /** Name of the consumer: watermarks and lag are per (consumer, source, lane). */
  readonly consumer: string;
  /** Service whose facts are wanted. */
  readonly source: string;
  /**
   * `each` (default): every process gets everything, for state in memory. `shared`: the processes that use this consumer
   * name divide the lanes among themselves, for durable projections; `from` is asked whenever a lane comes to a process,
   * and at that moment the message in hand may be handled by both.
   */
  readonly mode?: 'shared' | 'each';
  /**
   * The watermark to go on from: the position of the last message applied; 0 = from the beginning. `epoch` names the
   * epoch of the owner's log, where its engine keeps one. When the log was restored or replaced, it is asked again with
   * another one: positions of the epoch before mean nothing in it. `head`: where the lane ends at this moment, for who
   * wants nothing but news; undefined where the owner does not tell.
   */
  from(lane: number, epoch?: string, head?: number): Promise<number | Checkpoint>;
  /**
   * The watermark that is kept, and the log epoch that it counts in, for a start while the owner cannot be asked: messages
   * that follow it are handled then, if a transport brings them. Undefined when none is kept. Without this function, and
   * where something is missing, the owner is waited for.
   */
  kept?(lane: number): Promise<{ readonly at: Checkpoint; readonly epoch: string } | undefined>;
  /**
   * The owner's log has another commit at the watermark: an older copy was put in its place, and grew. A consumer that keeps the
   * watermark forgets it; then `from` is asked again, of all lanes. Without this function the lane begins anew.
   */
  diverged?(lane: number): Promise<void> | void;
  /** Gets each message once, in lane order, after watermark filtering. A throw is retried with backoff; later messages wait. */
  handle(message: Message): Promise<void>;
  /**
   * Instead of `handle`, where one step for many is cheaper: gets all of a lane that wait, up to 200, in order. After a
   * throw they come again, also those of them that were handled.
   */
  handleAll?(messages: readonly Message[]): Promise<void>;
}

/** A running subscription. */
export interface Subscribed {
  /** The lanes that this process handles at present: in mode `shared` they come and go. */
  lanes(): readonly number[];
  /** Resolves when everything that the owner had at the time of the call has been handled. Rejects with `ChannelClosed`. */
  caughtUp(): Promise<void>;
  /** Resolves when the handlers in hand have ended; nothing is handled afterwards. */
  close(): Promise<void>;
}

/** A source as its followers see it. */
export interface History {
  readonly lanes: number;
  readonly backfill: Backfill;
  /** Where all lanes end; spares reading when nothing is new. */
  readonly heads?: () => Promise<Heads>;
}

/** Where the lanes of a source end. */
export interface Heads {
  /** The position of each lane's last commit, with facts or without. */
  readonly heads: readonly number[];
  /** Names the epoch of the log: another one means that positions have come to mean other commits. */
  readonly epoch?: string;
}

/**
 * The owner's side of history: messages of a lane after a position, ascending, at most `limit`; fewer only at its end.
 * Throws `OtherHistory` when the commit at the position is another one than `commitId`.
 */
export type Backfill = (lane: number, after: number, limit: number, commitId?: string) => Promise<readonly Message[]>;

/**
 * Transport of facts between services. The owner's log is the truth: the channel may lose, repeat, delay and rewind, and
 * a receiver notices by the chain of positions and reads the missing part from the owner.
 */
export interface Channel {
  /** Declares a service as source, with the way to read its history and its number of lanes. Again: the service restarted. */
  offer(source: string, lanes: number, backfill: Backfill, heads?: () => Promise<Heads>): void;
  /** At least once, in lane order; resolves when the transport has taken the messages. All of one source and lane. */
  publish(messages: readonly Message[]): Promise<void>;
  subscribe(subscription: Subscription): Subscribed;
  close(): Promise<void>;
}

/** The channel, or the subscription, is closed. */
export class ChannelClosed extends Error {
  override readonly name = 'ChannelClosed';

  constructor() {
    super('the channel is closed');
  }
}
