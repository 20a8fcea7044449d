import { BadAnswer } from './bad-answer.ts';

/** The most bytes that chunk extensions, and trailers, may have in one answer. */
const mostAside = 16_384;
const [cr, lf] = [0x0d, 0x0a];

/** A line of sizes: the size and, ignored, extensions. */
const sizeLine = /^([\da-f]{1,12})(?:;[\t\x20-\x7e\x80-\xff]*)?$/i;
const trailerLine = /^[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Reads a chunked body, however its bytes are cut into pieces. Extensions are ignored and trailers thrown away; whatever
 * is not exactly a chunked body throws `BadAnswer`.
 * @see RFC 9112 §7.1
 */
export class ChunkedBody {
  /** What is read: a line of a size, data, the line end after data, a line of trailers, or nothing any more. */
  #part: 'size' | 'data' | 'gap' | 'trailer' | 'nothing' = 'size';
  /** Of a line: what there is of it so far. */
  #line = '';
  /** Of data: bytes that are still to come. */
  #left = 0;
  #aside = 0;

  get isOver(): boolean {
    return this.#part === 'nothing';
  }

  /** Reads from `start` on, gives data to `take`, and returns where it stopped: at `end`, or behind the body. */
  read(bytes: Buffer, start: number, end: number, take: (from: number, to: number) => void): number {
    let at = start;
    while (at < end && this.#part !== 'nothing')
      if (this.#part === 'data') {
        const to = Math.min(end, at + this.#left);
        take(at, to);
        this.#left -= to - at;
        if (this.#left === 0) this.#part = 'gap';
        at = to;
      } else at = this.#readLine(bytes, at, end);
    return at;
  }

  #readLine(bytes: Buffer, start: number, end: number): number {
    const found = bytes.indexOf(lf, start);
    const to = found === -1 || found >= end ? end : found + 1;
    this.#line += bytes.toString('latin1', start, to);
    if (this.#line.length > mostAside) throw new BadAnswer('a line of its chunks is too long');
    if (this.#line.charCodeAt(this.#line.length - 1) !== lf) return to;
    if (this.#line.charCodeAt(this.#line.length - 2) !== cr)
      throw new BadAnswer('a line of its chunks has no proper end');
    const line = this.#line.slice(0, -2);
    this.#line = '';
    this.#take(line);
    return to;
  }

  #take(line: string): void {
    if (this.#part === 'gap') {
      if (line !== '') throw new BadAnswer('a chunk is longer than it says');
      this.#part = 'size';
    } else if (this.#part === 'trailer') {
      this.#count(line.length);
      if (line === '') this.#part = 'nothing';
      else if (!trailerLine.test(line)) throw new BadAnswer('a trailer is no header');
    } else {
      const size = sizeLine.exec(line)?.[1];
      if (size === undefined) throw new BadAnswer('a chunk has no proper size');
      this.#count(line.length - size.length);
      this.#left = Number.parseInt(size, 16);
      this.#part = this.#left > 0 ? 'data' : 'trailer';
    }
  }

  #count(bytes: number): void {
    this.#aside += bytes;
    if (this.#aside > mostAside) throw new BadAnswer('there is too much beside its chunks');
  }
}
