import { type AnswerHead, parseHead } from './answer-head.ts';
import { BadAnswer } from './bad-answer.ts';
import { ChunkedBody } from './chunked-body.ts';

/** Hears what an answer is. */
export interface AnswerListener {
  /** The head. Where the whole body came along and is short, it is `body`, a character for each byte, and nothing follows. */
  answered(head: AnswerHead, body: string | undefined): void;
  /** A piece of the body, its own copy. */
  received(piece: Buffer): void;
}

/** The largest head, in bytes: as much as Node takes of a request. */
const largestHead = 16_384;
/** The longest body that is told of with its head, in bytes. */
const short = 16_384;

/**
 * Reads the answers of one connection, one after the other, however their bytes are cut into pieces. Interim answers are
 * skipped. Throws `BadAnswer` for what is no answer: the connection is then good for nothing.
 * @see RFC 9112 §6.3
 */
export class AnswerReader {
  readonly #listener: AnswerListener;
  #isBodiless = false;
  /** What has come of a head. */
  #begun = '';
  #head: AnswerHead | undefined;
  /** Bytes of the body that are still to come; infinite where the end of the connection ends it. */
  #left = 0;
  #chunks: ChunkedBody | undefined;
  #isExact = true;

  constructor(listener: AnswerListener) {
    this.#listener = listener;
  }

  /** An answer to a request of this method is what comes next. */
  begin(method: string): void {
    this.#isBodiless = method === 'HEAD';
    this.#head = undefined;
  }

  /** The head of the present answer, once it is there. */
  get head(): AnswerHead | undefined {
    return this.#head;
  }

  /** Whether another answer may follow: this one ended where the service said, and there was nothing behind it. */
  get isReusable(): boolean {
    return this.#isExact && this.#head?.isKept === true && (this.#chunks?.isOver ?? this.#left === 0);
  }

  /** Reads what came: the first `end` bytes. True when the answer is complete with it. */
  read(bytes: Buffer, end: number): boolean {
    if (!this.#head) return this.#readHead(bytes, end);
    return this.#readBody(bytes, 0, end);
  }

  /** The other side says that it sends no more: whether that is the end of the answer. */
  endsHere(): boolean {
    return this.#head !== undefined && !this.#chunks && this.#left === Number.POSITIVE_INFINITY;
  }

  #readHead(bytes: Buffer, end: number): boolean {
    const before = this.#begun.length;
    const text = before === 0 ? bytes.toString('latin1', 0, end) : this.#begun + bytes.toString('latin1', 0, end);
    for (let start = 0; ;) {
      const found = text.indexOf('\r\n\r\n', start);
      if ((found === -1 ? text.length : found) - start > largestHead) throw new BadAnswer('its head is too large');
      if (found === -1) {
        this.#begun = text.slice(start);
        return false;
      }
      const head = start === 0 ? parseHead(text, found) : parseHead(text.slice(start, found), found - start);
      start = found + 4;
      if (head.status === 101) throw new BadAnswer('it changes the protocol');
      if (head.status < 200) continue;
      this.#begun = '';
      return this.#begin(head, text, start, bytes, start - before, end);
    }
  }

  #begin(head: AnswerHead, text: string, at: number, bytes: Buffer, start: number, end: number): boolean {
    this.#head = head;
    const hasBody = !this.#isBodiless && head.status !== 204 && head.status !== 304;
    const length = hasBody ? head.length : 0;
    this.#chunks = hasBody && head.isChunked ? new ChunkedBody() : undefined;
    this.#left = length ?? Number.POSITIVE_INFINITY;
    if (length !== undefined && length <= short && at + length <= text.length) {
      this.#left = 0;
      this.#isExact = at + length === text.length;
      this.#listener.answered(head, text.slice(at, at + length));
      return true;
    }
    this.#listener.answered(head, undefined);
    return this.#readBody(bytes, start, end);
  }

  #readBody(bytes: Buffer, start: number, end: number): boolean {
    const to = this.#chunks ? this.#readChunks(this.#chunks, bytes, start, end) : Math.min(end, start + this.#left);
    if (!this.#chunks) {
      if (to > start) this.#listener.received(Buffer.from(bytes.subarray(start, to)));
      this.#left -= to - start;
    }
    this.#isExact = to === end;
    return this.#chunks?.isOver ?? this.#left === 0;
  }

  #readChunks(chunks: ChunkedBody, bytes: Buffer, start: number, end: number): number {
    return chunks.read(bytes, start, end, (from, to) => this.#listener.received(Buffer.from(bytes.subarray(from, to))));
  }
}
