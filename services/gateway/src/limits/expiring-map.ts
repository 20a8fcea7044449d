/**
 * A map that forgets what was not put for a while: keys live in two generations, and each `age` milliseconds the older
 * one goes. What was put is kept for at least one `age` and for less than two. Holds at most `most` keys per generation.
 */
export class ExpiringMap<V> {
  readonly #age: number;
  readonly #most: number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();
  #since: number;

  constructor(age: number, most: number, now: number) {
    this.#age = age;
    this.#most = most;
    this.#since = now;
  }

  /** What is kept under a key at a time of the clock. */
  get(key: string, now: number): V | undefined {
    this.#forget(now);
    return this.#young.get(key) ?? this.#old.get(key);
  }

  /** Keeps a value for a key that `get` has just been asked for; false when the map is full. */
  put(key: string, value: V): boolean {
    if (this.#young.size >= this.#most && !this.#young.has(key) && !this.#old.has(key)) return false;
    this.#young.set(key, value);
    return true;
  }

  #forget(now: number): void {
    // A clock that was set back far counts too, or the generation would never end.
    const passed = Math.abs(now - this.#since);
    if (passed < this.#age) return;
    this.#old = passed < 2 * this.#age ? this.#young : new Map();
    this.#young = new Map();
    this.#since = now;
  }
}
