import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Hears how a body goes out. */
export interface UploadListener {
  /** Another piece went out, or can go out now. */
  progressed(): void;
  /** The body is not as long as its head says: the request cannot be ended. */
  misfitted(): void;
}

/**
 * Sends a body as it comes, no faster than the connection takes it: of a known length, or else chunked. Whoever stops it
 * before its end lets the rest run off, so that the client's connection can go on.
 * @see RFC 9112 §7.1
 */
export class Upload {
  readonly #body: Readable;
  readonly #socket: Socket;
  readonly #listener: UploadListener;
  readonly #isChunked: boolean;
  /** Bytes that may still come. */
  #left: number;
  isDone = false;

  constructor(body: Readable, length: number | undefined, socket: Socket, listener: UploadListener) {
    this.#body = body;
    this.#socket = socket;
    this.#listener = listener;
    this.#isChunked = length === undefined;
    this.#left = length ?? Number.POSITIVE_INFINITY;
    body.on('data', this.#onData).on('end', this.#onEnd);
    socket.on('drain', this.#onDrain);
  }

  /** Whether the client has more to send, and the connection would take it. */
  get isWaiting(): boolean {
    return !this.isDone && !this.#body.isPaused();
  }

  stop(): void {
    this.#body.off('data', this.#onData).off('end', this.#onEnd);
    this.#socket.off('drain', this.#onDrain);
    if (!this.isDone) this.#body.resume();
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#left -= chunk.length;
    if (this.#left < 0) return this.#listener.misfitted();
    const hasRoom = this.#isChunked ? this.#writeChunk(chunk) : this.#socket.write(chunk);
    if (!hasRoom) this.#body.pause();
    this.#listener.progressed();
  };

  readonly #onDrain = (): void => {
    this.#body.resume();
    this.#listener.progressed();
  };

  readonly #onEnd = (): void => {
    if (this.#left > 0 && !this.#isChunked) return this.#listener.misfitted();
    this.isDone = true;
    if (this.#isChunked) this.#socket.write('0\r\n\r\n', 'latin1');
    this.#listener.progressed();
  };

  #writeChunk(chunk: Buffer): boolean {
    if (chunk.length === 0) return true;
    this.#socket.cork();
    this.#socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1');
    this.#socket.write(chunk);
    const hasRoom = this.#socket.write('\r\n', 'latin1');
    this.#socket.uncork();
    return hasRoom;
  }
}
