import { Problem } from '@lyceum/web';

/** Streams that are open at once: of one client at one school, and of all together. */
const mostOfOne = 5;
const mostOfAll = 2_000;

/** Counts the streams that are open, so that nobody holds more than their part. */
export class OpenStreams {
  readonly #open = new Map<string, number>();
  #all = 0;

  /** Takes a place. The returned function gives it back, once. Throws `rate_limited` when there is none. */
  enter(school: string, client: string): () => void {
    const key = `${school}\n${client}`;
    const count = this.#open.get(key) ?? 0;
    if (count >= mostOfOne || this.#all >= mostOfAll)
      throw new Problem('rate_limited', 'Too many streams are open', { headers: { 'Retry-After': '10' } });
    this.#open.set(key, count + 1);
    this.#all += 1;
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#all -= 1;
      const left = this.#open.get(key)! - 1;
      if (left === 0) this.#open.delete(key);
      else this.#open.set(key, left);
    };
  }
}
