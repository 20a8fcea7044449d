import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { OutgoingRequest } from './outgoing-request.ts';
import { responseHeaders } from './response-headers.ts';

/** Receives a response. */
export interface ResponseSink {
  /** Whether a part of a response has been passed on. */
  readonly hasBegun: boolean;
  /** `headers`: name in lower case, value, name, value. */
  begin(status: number, headers: string[]): void;
  /** False when nothing more may be written before `resume` is called, which happens once. */
  write(piece: Buffer, resume: () => void): boolean;
  end(): void;
}

/** Why an attempt brought no whole response. */
export interface AttemptFailure {
  readonly error: Error;
  /** Whether a part of the request may have reached the service. */
  readonly isSent: boolean;
  /** Whether the service was not asked because no connection was free. */
  readonly isUnasked: boolean;
  /** Whether the client went away. */
  readonly isClientGone: boolean;
}

/** Called when an attempt ends: one of the two, once. */
export interface AttemptOutcome {
  done(status: number): void;
  failed(failure: AttemptFailure): void;
}

/** The client closed its connection before the response was complete. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** No connection was free: the service was not asked, so this says nothing about the service. */
export class NoFreeConnection extends Error {
  override readonly name = 'NoFreeConnection';
}

/** Sends a request once and passes the response on, no faster than the sink takes it. */
export class Attempt implements Dispatcher.DispatchHandler {
  readonly request: OutgoingRequest;
  readonly #sink: ResponseSink;
  readonly #outcome: AttemptOutcome;
  #controller: Dispatcher.DispatchController | undefined;
  #cancelled: Error | undefined;
  #isSent = false;
  #status = 0;
  /** Whether the outcome has been called. */
  isOver = false;
  /** Takes the attempt out of the line in which it waits for a connection. */
  onCancel: (() => void) | undefined;
  /** Called when the connection is no longer in use. */
  onOver: (() => void) | undefined;

  constructor(request: OutgoingRequest, sink: ResponseSink, outcome: AttemptOutcome) {
    this.request = request;
    this.#sink = sink;
    this.#outcome = outcome;
  }

  /** Ends the attempt; it fails with this reason. */
  cancel(reason: Error): void {
    if (this.isOver || this.#cancelled) return;
    this.#cancelled = reason;
    if (this.#controller) return this.#controller.abort(reason);
    this.onCancel?.();
    this.#fail(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#cancelled) return controller.abort(this.#cancelled);
    this.#isSent = true;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#sink.begin(status, responseHeaders(headers));
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    if (!this.#sink.write(piece, () => controller.resume())) controller.pause();
  }

  onResponseEnd(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.onOver?.();
    this.#sink.end();
    this.#outcome.done(this.#status);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.onOver?.();
    this.#fail(this.#cancelled ?? error);
  }

  #fail(error: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    const [isUnasked, isClientGone] = [error instanceof NoFreeConnection, error instanceof ClientGone];
    this.#outcome.failed({ error, isSent: this.#isSent, isUnasked, isClientGone });
  }
}
