/** What a redeem found. Exactly one caller ever sees `live` for a key; all later ones see the tombstone. */
export type Redeemed =
  | { readonly state: 'live'; readonly value: string }
  | { readonly state: 'redeemed'; readonly tombstone: string }
  | { readonly state: 'absent' };

/** What taking from a quota brought. */
export interface Taken {
  readonly taken: boolean;
  /** Whole units that could be taken right after this call. */
  readonly left: number;
  /** Milliseconds until there is one more than `left`. */
  readonly wait: number;
}

/** What taking several units of a quota brought. */
export interface TakenMany extends Omit<Taken, 'taken'> {
  /** Units that were taken: as many as were asked for, or as there were. */
  readonly taken: number;
}

/** Hearing what is signalled about a topic. */
export interface Hearing {
  /** Whether signals of other processes arrive, as far as is known at present. */
  readonly isConnected: boolean;
  close(): void;
}

/**
 * Short-lived state: codes, counters, quotas, in-flight marks. It may lose everything at any time, so nothing that must survive
 * lives here. Keys are opaque strings that begin with the tenant; values are strings. A key is used for values, as a
 * counter or as a quota, always as the same. Every call is atomic. Times to live are whole milliseconds, at least 1.
 * Throws `EphemeralUnavailable` when the engine cannot be reached or is full.
 */
export interface Ephemeral {
  /** Whether other processes may see the same state, so that asking for it costs a round trip. */
  readonly isShared: boolean;
  /** Stores the value unless the key exists (as value or tombstone). True when stored. */
  putIfAbsent(key: string, value: string, ttl: number): Promise<boolean>;
  /** The live value; undefined when absent, expired or redeemed. */
  get(key: string): Promise<string | undefined>;
  /** Takes a live value once and leaves `tombstone` for `ttl`; later redeems neither replace nor extend the tombstone. */
  redeem(key: string, tombstone: string, ttl: number): Promise<Redeemed>;
  /** Adds `by` (1; may be negative) and returns the sum and the time left; the first call starts the ttl, later ones do not extend it. */
  increment(key: string, ttl: number, by?: number): Promise<{ readonly count: number; readonly ttl: number }>;
  /**
   * Takes one unit of a quota of `quota` units in `window` milliseconds that refills evenly: after a pause all units at
   * once, then one each `window / quota`. A call that takes nothing changes nothing. Both numbers are whole, at least 1.
   */
  take(key: string, quota: number, window: number): Promise<Taken>;
  /** As `take`, of `most` units or as many as there are. `most` is whole, at least 1. */
  takeMany(key: string, most: number, quota: number, window: number): Promise<TakenMany>;
  /** Deletes the key if it holds this live value (a tombstone is never deleted). True when deleted. */
  compareAndDelete(key: string, value: string): Promise<boolean>;
  /** Tells all who listen to the topic, in this process and others; returns at once. What is not heard now is lost. */
  signal(topic: string, text: string): void;
  /** Listens to a topic: to what is signalled from some moment after the call on. */
  listen(topic: string, heard: (text: string) => void): Hearing;
  close(): Promise<void>;
}

/** The engine cannot be reached; whether the call took effect is unknown. */
export class EphemeralUnavailable extends Error {
  override readonly name: string = 'EphemeralUnavailable';
}

/** The engine holds as many keys as it may. The call took no effect; there is space again as keys expire. */
export class EphemeralFull extends EphemeralUnavailable {
  override readonly name = 'EphemeralFull';
}
