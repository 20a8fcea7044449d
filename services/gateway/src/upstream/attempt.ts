import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { ClientGone, type OutgoingMessage, passedOn } from './message.ts';

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

/** How long a service may take, milliseconds. */
export interface Patience {
  /** Until the head of the answer is there. */
  readonly headersTimeout: number;
  /** Between two pieces of its body. */
  readonly bodyTimeout: number;
  /** How long a client may read nothing of an answer: until then it holds a connection to the service. */
  readonly readTimeout: number;
}

/** The largest body that is sent in one piece with its head, in bytes. */
const small = 16_384;

/** Headers of an answer by name, where the service does not say otherwise. */
export type Standing = Readonly<Record<string, string>>;

/** An answer on its way to the client. */
export interface Passage {
  readonly message: OutgoingMessage;
  readonly response: ServerResponse;
  readonly standing: Standing;
}

/**
 * Sends a request once and streams the answer to the client, no faster than the client reads. A client that goes away
 * ends the request to the service.
 */
export function attempt(dispatcher: Dispatcher, passage: Passage, patience: Patience, outcome: Outcome): void {
  const { method, path, headers, body } = passage.message;
  const { headersTimeout, bodyTimeout, readTimeout } = patience;
  const handler = new Attempt(passage, outcome, readTimeout);
  dispatcher.dispatch(
    { method, path, headers, body, headersTimeout, bodyTimeout } as Dispatcher.DispatchOptions,
    handler,
  );
}

interface Head {
  readonly status: number;
  readonly headers: string[];
  /** Bytes that follow, where they are few. */
  readonly length: number;
}

class Attempt implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;
  readonly #standing: Standing;
  readonly #outcome: Outcome;
  readonly #readTimeout: number;
  /** Runs while the client lets us wait. */
  #reading: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  /** A head that waits for the few bytes after it: both then are one piece on the wire. */
  #head: Head | undefined;
  #isSent = false;
  #isOver = false;

  constructor({ response, standing }: Passage, outcome: Outcome, readTimeout: number) {
    this.#response = response;
    this.#standing = standing;
    this.#outcome = outcome;
    this.#readTimeout = readTimeout;
    response.on('close', this.#onClientGone);
  }

  readonly #onClientGone = (): void => {
    if (!this.#response.writableFinished) this.#controller?.abort(new ClientGone('the client went away'));
  };

  readonly #onDrain = (): void => {
    clearTimeout(this.#reading);
    this.#controller?.resume();
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#response.destroyed) return controller.abort(new ClientGone('the client went away'));
    this.#isSent = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200 || this.#response.headersSent) return;
    const length = Number(headers['content-length'] ?? Number.NaN);
    const head = { status, headers: passedOn(headers, this.#standing), length };
    if (length <= small) this.#head = head;
    else this.#response.writeHead(status, head.headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#response.destroyed) return;
    const head = this.#begin();
    // Node sends a head and a string after it at once, but a head and bytes as two.
    if (head?.length === chunk.length) return void this.#response.end(chunk.toString('latin1'), 'latin1');
    if (this.#response.write(chunk)) return;
    controller.pause();
    this.#response.once('drain', this.#onDrain);
    clearTimeout(this.#reading);
    this.#reading = setTimeout(() => this.#response.destroy(), this.#readTimeout).unref();
  }

  onResponseEnd(): void {
    this.#end();
    this.#begin();
    if (!this.#response.writableEnded) this.#response.end();
    this.#outcome.done();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#isOver) return;
    this.#end();
    this.#outcome.failed({
      error,
      isSent: this.#isSent,
      isAnswered: this.#response.headersSent,
      isClientGone: error instanceof ClientGone || this.#response.destroyed,
    });
  }

  /** Begins the answer with the head that waits; undefined when none does. */
  #begin(): Head | undefined {
    const head = this.#head;
    this.#head = undefined;
    if (head && !this.#response.headersSent) this.#response.writeHead(head.status, head.headers);
    return head;
  }

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#reading);
    this.#response.off('close', this.#onClientGone);
    this.#response.off('drain', this.#onDrain);
  }
}
