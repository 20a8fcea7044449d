import type { ServerResponse } from 'node:http';
import { ClientGone, type Standing, passedOn } from './message.ts';
import type { AnswerHead } from './wire/answer-head.ts';
import { type ConnectionPool, NoPlace } from './wire/connection-pool.ts';
import type { OutgoingMessage, Receiver, Sending } from './wire/exchange.ts';

/** Why an attempt brought no whole answer. */
export interface Failure {
  readonly error: Error;
  /** Whether anything of the request may have reached the service. */
  readonly isSent: boolean;
  /** Whether anything of the answer has reached the client. */
  readonly isAnswered: boolean;
  /** The client went away; nobody waits for an answer. */
  readonly isClientGone: boolean;
  /** No connection was free: the service was not asked. */
  readonly isUnasked: boolean;
}

/** Hears how an attempt ends: exactly one of the two is called, once. */
export interface Outcome {
  done(): void;
  failed(failure: Failure): void;
}

/** A request and the way of its answer to the client. */
export class Passage {
  readonly message: OutgoingMessage;
  readonly response: ServerResponse;
  readonly #stand: () => Standing;
  #standing: Standing | undefined;

  constructor(message: OutgoingMessage, response: ServerResponse, stand: () => Standing) {
    this.message = message;
    this.response = response;
    this.#stand = stand;
  }

  /** What stands on the answer; put together when it is asked for first. */
  standing(): Standing {
    return (this.#standing ??= this.#stand());
  }
}

/** Bytes of an answer that are kept for a client that does not take them: a small answer is out of the service's way at once. */
const mostKept = 128 * 1024;

/** How slowly a client may read. */
export interface Reading {
  /** Milliseconds for which it may let an answer wait, in all: until then it holds a connection to the service. */
  readonly readTimeout: number;
  /** Bytes that it takes in a second at least, beside that time. */
  readonly readRate: number;
}

/**
 * Sends a request once and streams the answer to the client, no faster than the client reads. One who lets us wait for
 * longer than `readTimeout` milliseconds in all, and what its bytes take at the slowest rate, is let go: whoever takes a
 * piece now and then gains nothing. A client that goes away ends the request to the service.
 */
export function attempt(pool: ConnectionPool, passage: Passage, reading: Reading, outcome: Outcome): void {
  new Attempt(passage, reading, outcome).begin(pool);
}

class Attempt implements Receiver {
  readonly #passage: Passage;
  readonly #response: ServerResponse;
  readonly #outcome: Outcome;
  readonly #allowed: Reading;
  /**
   * The client lets us wait; since when, for how long it has before, and what it has been given since the first time: what
   * the system has taken for it until then says nothing about its reading.
   */
  #isHeld = false;
  #heldSince = 0;
  #held = 0;
  #given = 0;
  #reading: NodeJS.Timeout | undefined;
  #sending: Sending | undefined;
  #isSent = false;
  #isOver = false;

  constructor(passage: Passage, allowed: Reading, outcome: Outcome) {
    this.#passage = passage;
    this.#response = passage.response;
    this.#allowed = allowed;
    this.#outcome = outcome;
  }

  begin(pool: ConnectionPool): void {
    this.#sending = pool.send(this.#passage.message, this);
    // Whoever has answered, once that is over nobody waits for the service.
    this.#response.on('close', this.#onClosed);
    // The service works meanwhile: when it answers, nobody shall wait for this.
    this.#passage.standing();
  }

  readonly #onClosed = (): void => {
    if (!this.#isOver) this.#sending?.abort(new ClientGone('the client went away'));
  };

  readonly #onDrain = (): void => {
    this.#isHeld = false;
    this.#held += performance.now() - this.#heldSince;
    clearTimeout(this.#reading);
    if (!this.#isOver) this.#sending?.resume();
  };

  sent(): void {
    this.#isSent = true;
  }

  answered(head: AnswerHead, body: string | undefined): void {
    const response = this.#response;
    if (response.headersSent || response.destroyed) return;
    response.writeHead(head.status, passedOn(head, this.#passage.standing()));
    if (body !== undefined) endWith(response, body);
  }

  received(piece: Buffer): void {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    if (this.#heldSince > 0) this.#given += piece.length;
    if (response.write(piece) || response.writableLength < mostKept || this.#isHeld) return;
    this.#isHeld = true;
    this.#heldSince = performance.now();
    this.#sending?.pause();
    response.once('drain', this.#onDrain);
    const { readTimeout, readRate } = this.#allowed;
    const allowed = readTimeout + (this.#given / readRate) * 1_000 - this.#held;
    this.#reading = setTimeout(() => response.destroy(), Math.max(0, allowed)).unref();
  }

  ended(): void {
    this.#end();
    if (!this.#response.writableEnded) this.#response.end();
    this.#outcome.done();
  }

  failed(error: Error): void {
    this.#end();
    this.#outcome.failed({
      error,
      isSent: this.#isSent,
      isAnswered: this.#response.headersSent,
      isUnasked: error instanceof NoPlace,
      isClientGone: error instanceof ClientGone || this.#response.destroyed,
    });
  }

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#reading);
  }
}

/**
 * Ends an answer with a body that is there, a character for each byte. Node sends a head and a string behind it as one
 * piece, but a head and bytes as two, and whatever `end` is given with an empty piece behind it.
 */
function endWith(response: ServerResponse, body: string): void {
  if (body !== '') {
    response.cork();
    response.write(body, 'latin1');
    response.uncork();
  }
  response.end();
}
