import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';

/**
 * The body of a client's request as undici reads a stream. undici destroys the streams that it sends, also when it stops
 * early; a client's request must then be read to its end instead, so that the client can read the response.
 */
export class RequestBody extends EventEmitter {
  readonly #request: IncomingMessage;
  #isRead = false;
  destroyed = false;

  constructor(request: IncomingMessage) {
    super();
    this.#request = request;
  }

  /** Marks it as a stream; undici calls it for responses only. */
  pipe(): never {
    throw new Error('a request body is not piped');
  }

  pause(): void {
    this.#request.pause();
  }

  /** Nothing is read before the first call, which comes when a connection is there. */
  resume(): void {
    if (!this.#isRead) this.#request.on('data', this.#onData).on('end', this.#onEnd);
    this.#isRead = true;
    this.#request.resume();
  }

  destroy(error?: Error): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.#request.off('data', this.#onData).off('end', this.#onEnd);
    if (this.#isRead) this.#request.resume();
    queueMicrotask(() => {
      if (error && this.listenerCount('error') > 0) this.emit('error', error);
      this.emit('close');
    });
  }

  readonly #onData = (chunk: Buffer): void => void this.emit('data', chunk);
  readonly #onEnd = (): void => void this.emit('end');
}
