/**
 * What was used last: at least `most` keys and fewer than twice as many. Keys are kept in two halves; when the one that is
 * in use is full the other goes, so to look something up does not have to move it.
 */
export class Recent<Value extends object> {
  readonly #most: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key);
    if (young) return young;
    const old = this.#old.get(key);
    if (old) this.put(key, old);
    return old;
  }

  put(key: string, value: Value): void {
    if (this.#young.size >= this.#most) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
