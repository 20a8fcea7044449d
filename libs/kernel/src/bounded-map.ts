/**
 * A map that forgets what was not used lately: at least the last keys used stay that weigh `size` together, at most those
 * that weigh twice as much. A value weighs 1 unless `weightOf` says otherwise, always the same for one value. Two
 * generations instead of a list, because reordering a map on every read costs more than the reads it saves.
 */
export class BoundedMap<K, V> {
  readonly #size: number;
  readonly #weightOf: (value: V) => number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  /** Of the young. */
  #weight = 0;

  constructor(size: number, weightOf: (value: V) => number = () => 1) {
    this.#size = size;
    this.#weightOf = weightOf;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    this.#dropYoung(key);
    const weight = this.#weightOf(value);
    if (this.#weight + weight > this.#size && this.#young.size > 0) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#weight = 0;
    }
    this.#young.set(key, value);
    this.#weight += weight;
  }

  delete(key: K): void {
    this.#dropYoung(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#weight = 0;
  }

  #dropYoung(key: K): void {
    const young = this.#young.get(key);
    if (young === undefined) return;
    this.#young.delete(key);
    this.#weight -= this.#weightOf(young);
  }
}
