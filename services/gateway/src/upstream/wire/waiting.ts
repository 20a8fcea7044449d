import type { Connection } from './connection.ts';
import type { OutgoingMessage, Receiver, Sending } from './exchange.ts';

/** A request that waits until a connection is free, and then is on its way there. */
export class Waiting implements Sending {
  /** The tick at which it has waited too long. */
  readonly deadline: number;
  readonly school: string | undefined;
  readonly #message: OutgoingMessage;
  readonly #receiver: Receiver;
  readonly #leave: (waiting: Waiting) => void;
  #connection: Connection | undefined;

  constructor(message: OutgoingMessage, receiver: Receiver, deadline: number, leave: (waiting: Waiting) => void) {
    this.deadline = deadline;
    this.school = message.school;
    this.#message = message;
    this.#receiver = receiver;
    this.#leave = leave;
  }

  go(connection: Connection): void {
    this.#connection = connection;
    connection.send(this.#message, this.#receiver);
  }

  pause(): void {
    this.#connection?.pause();
  }

  resume(): void {
    this.#connection?.resume();
  }

  abort(reason: Error): void {
    if (this.#connection) return this.#connection.abort(reason);
    this.#leave(this);
    this.#receiver.failed(reason);
  }
}
