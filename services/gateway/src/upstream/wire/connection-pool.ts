import { CoarseClock } from './coarse-clock.ts';
import { Connection, type ConnectionOwner, type Ticks } from './connection.ts';
import type { OutgoingMessage, Receiver, Sending } from './exchange.ts';
import { Waiting } from './waiting.ts';
import type { Origin } from './origin.ts';

/** How long things may take, in milliseconds; a little more is possible. */
export interface PoolPatience {
  /** Until a connection stands. */
  readonly connectTimeout: number;
  /** Until the head of the answer is there, or more of the request could be sent. */
  readonly headersTimeout: number;
  /** Between two pieces of the body of the answer. */
  readonly bodyTimeout: number;
  /** How long a connection is kept for the next request. */
  readonly keepAlive: number;
}

/**
 * Connections to one instance of a service. The one that was used last is used first, so that those that are not needed
 * grow old and end. Beyond `most` requests at a time the next ones wait, first come first served.
 */
export class ConnectionPool implements ConnectionOwner {
  readonly #origin: Origin;
  readonly #most: number;
  readonly #all = new Set<Connection>();
  readonly #free: Connection[] = [];
  readonly #waiting: Waiting[] = [];
  readonly ticks: Ticks;
  readonly clock = new CoarseClock(() => this.#tick());
  #isClosed = false;

  constructor(origin: Origin, patience: PoolPatience, most = 256) {
    this.#origin = origin;
    this.#most = most;
    this.ticks = {
      connect: CoarseClock.ticks(patience.connectTimeout),
      head: CoarseClock.ticks(patience.headersTimeout),
      body: CoarseClock.ticks(patience.bodyTimeout),
      idle: CoarseClock.ticks(patience.keepAlive),
    };
  }

  /** Sends a request on a connection of its own, as soon as there is one. */
  send(message: OutgoingMessage, receiver: Receiver): Sending {
    for (let free = this.#free.pop(); free; free = this.#free.pop())
      if (free.isUsable) return hand(free, message, receiver);
    if (!this.#isClosed && this.#all.size < this.#most) return hand(this.#open(), message, receiver);
    const waiting = new Waiting(message, receiver, this.clock.now + this.ticks.head, (each) => this.#forget(each));
    this.#waiting.push(waiting);
    if (this.#isClosed) queueMicrotask(() => waiting.abort(closed()));
    return waiting;
  }

  /** Ends the connections; requests in flight fail. */
  close(): void {
    this.#isClosed = true;
    for (const waiting of this.#waiting.slice()) waiting.abort(closed());
    for (const connection of this.#all) connection.abort(closed());
  }

  freed(connection: Connection): void {
    const next = this.#waiting.shift();
    if (next) next.go(connection);
    else this.#free.push(connection);
  }

  gone(connection: Connection): void {
    this.#all.delete(connection);
    const index = this.#free.indexOf(connection);
    if (index !== -1) this.#free.splice(index, 1);
    const next = this.#isClosed ? undefined : this.#waiting.shift();
    if (next) next.go(this.#open());
    else if (this.#all.size === 0) this.clock.stop();
  }

  #open(): Connection {
    const connection = new Connection(this.#origin, this);
    this.#all.add(connection);
    this.clock.start();
    return connection;
  }

  #forget(waiting: Waiting): void {
    const index = this.#waiting.indexOf(waiting);
    if (index !== -1) this.#waiting.splice(index, 1);
  }

  #tick(): void {
    for (const connection of this.#all) if (connection.deadline <= this.clock.now) connection.expire();
    for (const waiting of this.#waiting.slice())
      if (waiting.deadline <= this.clock.now) waiting.abort(new Error('No connection to the service was free in time'));
  }
}

function hand(connection: Connection, message: OutgoingMessage, receiver: Receiver): Sending {
  connection.send(message, receiver);
  return connection;
}

const closed = (): Error => new Error('The way to the service is closed');
