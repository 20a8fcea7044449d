import type { ServerResponse } from 'node:http';
import { ClientGone, type Standing, passedOn } from './message.ts';
import type { AnswerHead } from './wire/answer-head.ts';
import type { ConnectionPool } from './wire/connection-pool.ts';
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

/**
 * Sends a request once and streams the answer to the client, no faster than the client reads; one who reads nothing for
 * `readTimeout` milliseconds is let go. A client that goes away ends the request to the service.
 */
export function attempt(pool: ConnectionPool, passage: Passage, readTimeout: number, outcome: Outcome): void {
  new Attempt(passage, readTimeout, outcome).begin(pool);
}

class Attempt implements Receiver {
  readonly #passage: Passage;
  readonly #response: ServerResponse;
  readonly #outcome: Outcome;
  readonly #readTimeout: number;
  /** The client lets us wait, and for how long it may. */
  #isHeld = false;
  #reading: NodeJS.Timeout | undefined;
  #sending: Sending | undefined;
  #isSent = false;
  #isOver = false;

  constructor(passage: Passage, readTimeout: number, outcome: Outcome) {
    this.#passage = passage;
    this.#response = passage.response;
    this.#readTimeout = readTimeout;
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
    if (response.destroyed || response.writableEnded || response.write(piece)) return;
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#sending?.pause();
    response.once('drain', this.#onDrain);
    this.#reading = setTimeout(() => response.destroy(), this.#readTimeout).unref();
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
