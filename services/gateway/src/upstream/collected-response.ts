import { forEachHeader } from '@lyceum/web';
import type { ResponseSink } from './attempt.ts';

/** Collects a whole response in memory; throws, and so ends the request, above `largest` bytes. */
export class CollectedResponse implements ResponseSink {
  readonly #largest: number;
  readonly #onEnd: () => void;
  #pieces: Buffer[] = [];
  #size = 0;
  headers: Record<string, string> = {};
  status = 0;

  /** `onEnd` is called when the whole response is there. */
  constructor(largest: number, onEnd: () => void = () => undefined) {
    this.#largest = largest;
    this.#onEnd = onEnd;
  }

  get hasBegun(): boolean {
    return false;
  }

  get text(): string {
    return Buffer.concat(this.#pieces).toString();
  }

  begin(status: number, headers: string[]): void {
    // The request may have been repeated.
    [this.#pieces, this.#size, this.headers, this.status] = [[], 0, {}, status];
    forEachHeader(headers, (name, value) => (this.headers[name] = value));
  }

  write(piece: Buffer): boolean {
    this.#size += piece.length;
    if (this.#size > this.#largest) throw new Error('the response is too large');
    this.#pieces.push(piece);
    return true;
  }

  end(): void {
    this.#onEnd();
  }
}
