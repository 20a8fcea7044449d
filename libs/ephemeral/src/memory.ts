import type { Clock } from '@lyceum/kernel';
import { type Expiring, ExpiryHeap } from './expiry.ts';
import { type Ephemeral, EphemeralFull, EphemeralUnavailable, type Redeemed, type TakenMany } from './port.ts';
import { checkQuota, takeUnits } from './quota.ts';
import { SignalListeners } from './signals.ts';

interface Entry extends Expiring {
  readonly key: string;
  readonly kind: 'value' | 'tombstone' | 'counter' | 'quota';
  readonly value: string;
  /** The sum of a counter; when a quota is whole again, exactly. */
  count: number;
}

/** How many expired keys one call removes at most: more than it can add, so the rest shrinks without a long pause. */
const sweepLimit = 16;

/** The keys that live by the clock; expired ones are removed a few at a time by the calls themselves, without a timer. */
class Keys {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #entries = new Map<string, Entry>();
  readonly #heap = new ExpiryHeap<Entry>();

  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#most = most;
  }

  find(key: string): Entry | undefined {
    this.#sweep();
    const entry = this.#entries.get(key);
    if (entry && entry.expires <= this.#clock.now()) {
      this.delete(entry);
      return undefined;
    }
    return entry;
  }

  put(key: string, kind: Entry['kind'], value: string, ttl: number): Entry {
    if (!Number.isSafeInteger(ttl) || ttl < 1)
      throw new RangeError('a time to live is a whole number of milliseconds, at least 1');
    const before = this.#entries.get(key);
    if (!before && this.#entries.size >= this.#most)
      throw new EphemeralFull(`the ephemeral store holds its maximum of ${this.#most} keys`);
    if (before) this.delete(before);
    const entry: Entry = { key, kind, value, count: 0, expires: this.#clock.now() + ttl, slot: 0 };
    this.#entries.set(key, entry);
    this.#heap.push(entry);
    return entry;
  }

  delete(entry: Entry): void {
    this.#entries.delete(entry.key);
    this.#heap.remove(entry);
  }

  left(entry: Entry): number {
    return entry.expires - this.#clock.now();
  }

  get size(): number {
    return this.#entries.size;
  }

  clear(): void {
    for (const entry of this.#entries.values()) this.delete(entry);
  }

  #sweep(): void {
    const now = this.#clock.now();
    for (let removed = 0; removed < sweepLimit; removed += 1) {
      const entry = this.#heap.soonest();
      if (!entry || entry.expires > now) return;
      this.delete(entry);
    }
  }
}

/** An `Ephemeral` in this process's memory, and how many keys it holds (expired ones that no call has removed yet included). */
export interface MemoryEphemeral extends Ephemeral {
  readonly size: number;
}

const valuesOnly = (entry: Entry | undefined): Entry | undefined => {
  if (entry?.kind === 'counter' || entry?.kind === 'quota')
    throw new TypeError(`the key is a ${entry.kind}, not a value`);
  return entry;
};

const whole = (by: number): number => {
  if (!Number.isSafeInteger(by)) throw new RangeError('a counter grows by a whole number');
  return by;
};

function only(kind: 'counter' | 'quota', entry: Entry | undefined): Entry | undefined {
  if (entry && entry.kind !== kind) throw new TypeError(`the key is not a ${kind}`);
  return entry;
}

/**
 * Ephemeral state in memory, for one process. Expiry follows the clock given. At most `maxEntries` keys (default
 * 1,000,000): beyond, a call that needs a new key throws `EphemeralFull` and changes nothing.
 */
export function memoryEphemeral(clock: Clock, options: { readonly maxEntries?: number } = {}): MemoryEphemeral {
  const keys = new Keys(clock, options.maxEntries ?? 1_000_000);
  const listeners = new SignalListeners();
  let closed = false;
  const find = (key: string): Entry | undefined => {
    if (closed) throw new EphemeralUnavailable('the ephemeral store is closed');
    return keys.find(key);
  };
  const takeMany = (key: string, most: number, quota: number, window: number): TakenMany => {
    checkQuota(quota, window, most);
    const now = clock.now();
    const owed = (only('quota', find(key))?.count ?? now) - now;
    const { debt, ...taken } = takeUnits(owed, most, quota, window);
    // More than a window: the clock was set back, and the key would outlive its debt.
    if (taken.taken > 0 || owed > window) keys.put(key, 'quota', '', Math.max(1, Math.ceil(debt))).count = now + debt;
    return taken;
  };
  return {
    isShared: false,
    get size() {
      return keys.size;
    },
    async putIfAbsent(key, value, ttl) {
      if (valuesOnly(find(key))) return false;
      keys.put(key, 'value', value, ttl);
      return true;
    },
    async get(key) {
      const entry = valuesOnly(find(key));
      return entry?.kind === 'value' ? entry.value : undefined;
    },
    async redeem(key, tombstone, ttl): Promise<Redeemed> {
      const entry = valuesOnly(find(key));
      if (!entry) return { state: 'absent' };
      if (entry.kind === 'tombstone') return { state: 'redeemed', tombstone: entry.value };
      keys.put(key, 'tombstone', tombstone, ttl);
      return { state: 'live', value: entry.value };
    },
    async increment(key, ttl, by = 1) {
      const step = whole(by);
      const entry = only('counter', find(key)) ?? keys.put(key, 'counter', '', ttl);
      entry.count += step;
      return { count: entry.count, ttl: keys.left(entry) };
    },
    async take(key, quota, window) {
      const { taken, ...state } = takeMany(key, 1, quota, window);
      return { taken: taken === 1, ...state };
    },
    async takeMany(key, most, quota, window) {
      return takeMany(key, most, quota, window);
    },
    async compareAndDelete(key, value) {
      const entry = valuesOnly(find(key));
      if (entry?.kind !== 'value' || entry.value !== value) return false;
      keys.delete(entry);
      return true;
    },
    signal(topic, text) {
      queueMicrotask(() => listeners.tell(topic, text));
    },
    listen(topic, heard) {
      const close = closed ? () => undefined : listeners.add(topic, heard);
      return {
        get isConnected() {
          return !closed;
        },
        close,
      };
    },
    async close() {
      closed = true;
      keys.clear();
      listeners.clear();
    },
  };
}
