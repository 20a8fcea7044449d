/** Something that expires. `slot` is its place in the heap, kept by the heap. */
export interface Expiring {
  readonly expires: number;
  slot: number;
}

/** A binary heap by expiry, soonest first: `push`, `remove` and `soonest` cost at most log n, so no sweep scans all keys. */
export class ExpiryHeap<T extends Expiring> {
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }

  /** The item that expires first. */
  soonest(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    this.#items.push(item);
    this.#rise(item, this.#items.length - 1);
  }

  /** Removes an item that was pushed. */
  remove(item: T): void {
    const last = this.#items.pop()!;
    if (last === item) return;
    this.#rise(last, item.slot);
    this.#sink(last, last.slot);
  }

  #place(item: T, slot: number): void {
    this.#items[slot] = item;
    item.slot = slot;
  }

  #rise(item: T, from: number): void {
    let slot = from;
    while (slot > 0) {
      const parent = this.#items[(slot - 1) >> 1]!;
      if (parent.expires <= item.expires) break;
      this.#place(parent, slot);
      slot = (slot - 1) >> 1;
    }
    this.#place(item, slot);
  }

  #sink(item: T, from: number): void {
    let slot = from;
    for (;;) {
      const left = this.#items[2 * slot + 1];
      const right = this.#items[2 * slot + 2];
      const child = right && left && right.expires < left.expires ? right : left;
      if (!child || child.expires >= item.expires) break;
      const next = child.slot;
      this.#place(child, slot);
      slot = next;
    }
    this.#place(item, slot);
  }
}
