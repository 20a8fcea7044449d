import type { ServerResponse } from 'node:http';
import type { ResponseSink } from './attempt.ts';
import { withDefaults } from './response-headers.ts';

/** Bytes of a response that are kept for a client that does not take them: a small response frees its connection at once. */
const mostKept = 128 * 1024;

/** Bytes up to which a first piece is written as text: Node sends a head and text behind it as one, bytes apart from the head. */
const mostAsText = 16 * 1024;

/** How slowly a client may read a response. */
export interface ReadPace {
  /** Milliseconds for which it may let a response wait, in all: meanwhile it holds a connection to the service. */
  readonly readTimeout: number;
  /** Bytes that it takes per second at least, beside that time. */
  readonly readRate: number;
}

/**
 * Writes a service's response to the client, with default headers where the service sends none of that name. A client that
 * lets the response wait for longer than `readTimeout` in all, and the time that its bytes take at `readRate`, is
 * disconnected: taking a piece now and then gains no time.
 */
export class ClientResponse implements ResponseSink {
  readonly response: ServerResponse;
  readonly defaultHeaders: readonly string[];
  readonly #pace: ReadPace;
  #hasPiece = false;
  #isWaiting = false;
  #waitingSince = 0;
  /** Milliseconds waited before. */
  #waited = 0;
  /** Bytes given since the first wait: what the system has buffered by then says nothing about the client. */
  #given = 0;

  constructor(response: ServerResponse, defaultHeaders: readonly string[], pace: ReadPace) {
    this.response = response;
    this.defaultHeaders = defaultHeaders;
    this.#pace = pace;
  }

  get hasBegun(): boolean {
    return this.response.headersSent;
  }

  begin(status: number, headers: string[]): void {
    const { response } = this;
    if (!response.headersSent && !response.destroyed)
      response.writeHead(status, withDefaults(headers, this.defaultHeaders));
  }

  write(piece: Buffer, resume: () => void): boolean {
    const { response } = this;
    if (response.destroyed || response.writableEnded) return true;
    if (this.#waitingSince > 0) this.#given += piece.length;
    if (this.#send(piece) || response.writableLength < mostKept || this.#isWaiting) return true;
    this.#wait(resume);
    return false;
  }

  #send(piece: Buffer): boolean {
    const { response } = this;
    const isText = !this.#hasPiece && piece.length <= mostAsText;
    this.#hasPiece = true;
    if (!isText) return response.write(piece);
    // Uncorked at once, or what `end` writes would make it a write of several pieces.
    response.cork();
    const hasRoom = response.write(piece.toString('latin1'), 'latin1');
    response.uncork();
    return hasRoom;
  }

  end(): void {
    if (!this.response.writableEnded) this.response.end();
  }

  #wait(resume: () => void): void {
    this.#isWaiting = true;
    this.#waitingSince = performance.now();
    const { readTimeout, readRate } = this.#pace;
    const allowed = readTimeout + (this.#given / readRate) * 1_000 - this.#waited;
    const late = setTimeout(() => this.response.destroy(), Math.max(0, allowed)).unref();
    this.response.once('close', () => clearTimeout(late));
    this.response.once('drain', () => {
      clearTimeout(late);
      this.#isWaiting = false;
      this.#waited += performance.now() - this.#waitingSince;
      resume();
    });
  }
}
