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

/**
 * Sends a request once and streams the answer to the client, no faster than the client reads. A client that goes away
 * ends the request to the service.
 */
export function attempt(
  dispatcher: Dispatcher,
  message: OutgoingMessage,
  response: ServerResponse,
  patience: Patience,
  outcome: Outcome,
): void {
  const { headersTimeout, bodyTimeout, readTimeout } = patience;
  dispatcher.dispatch({ ...message, headersTimeout, bodyTimeout }, new Attempt(response, outcome, readTimeout));
}

class Attempt implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;
  readonly #outcome: Outcome;
  readonly #onClientGone: () => void;
  readonly #onDrain = (): void => {
    clearTimeout(this.#reading);
    this.#controller?.resume();
  };
  readonly #readTimeout: number;
  /** Runs while the client lets us wait. */
  #reading: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #isSent = false;
  #isOver = false;

  constructor(response: ServerResponse, outcome: Outcome, readTimeout: number) {
    this.#response = response;
    this.#outcome = outcome;
    this.#readTimeout = readTimeout;
    this.#onClientGone = () => {
      if (!response.writableFinished) this.#controller?.abort(new ClientGone('the client went away'));
    };
    response.on('close', this.#onClientGone);
  }

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
    this.#response.writeHead(status, passedOn(headers));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#response.destroyed || this.#response.write(chunk)) return;
    controller.pause();
    this.#response.once('drain', this.#onDrain);
    clearTimeout(this.#reading);
    this.#reading = setTimeout(() => this.#response.destroy(), this.#readTimeout).unref();
  }

  onResponseEnd(): void {
    this.#end();
    this.#response.end();
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

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#reading);
    this.#response.off('close', this.#onClientGone);
    this.#response.off('drain', this.#onDrain);
  }
}
