import { FairLine } from '@lyceum/web';
import { CoarseClock } from './coarse-clock.ts';
import { Connection, type ConnectionOwner, type Ticks } from './connection.ts';
import type { OutgoingMessage, Receiver, Sending } from './exchange.ts';
import { Waiting } from './waiting.ts';
import type { Origin } from './origin.ts';

/** How long things may take, in milliseconds; a little more is possible. */
export interface PoolPatience {
  /** Until a connection stands. */
  readonly connectTimeout: number;
  /** Until a connection is free. */
  readonly placeTimeout: number;
  /** Until the head of the answer is there, or more of the request could be sent. */
  readonly headersTimeout: number;
  /** Between two pieces of the body of the answer. */
  readonly bodyTimeout: number;
  /** How long a connection is kept for the next request. */
  readonly keepAlive: number;
}

/** No connection was free: the service was not even asked, so it says nothing about the service. */
export class NoPlace extends Error {
  override readonly name = 'NoPlace';
}

/**
 * Connections to one instance of a service. The one that was used last is used first, so that those that are not needed
 * grow old and end. Beyond `most` requests at a time, or the share of their school, the next ones wait in line.
 */
export class ConnectionPool implements ConnectionOwner {
  readonly #origin: Origin;
  readonly #all = new Set<Connection>();
  readonly #free: Connection[] = [];
  /** For which school each connection is in use. */
  readonly #uses = new Map<Connection, string | undefined>();
  readonly #line: FairLine<Waiting>;
  readonly #placeTicks: number;
  readonly ticks: Ticks;
  readonly clock = new CoarseClock(() => this.#tick());
  #isClosed = false;

  constructor(origin: Origin, patience: PoolPatience, most = 256) {
    this.#origin = origin;
    this.#line = new FairLine(most);
    this.#placeTicks = CoarseClock.ticks(patience.placeTimeout);
    this.ticks = {
      connect: CoarseClock.ticks(patience.connectTimeout),
      head: CoarseClock.ticks(patience.headersTimeout),
      body: CoarseClock.ticks(patience.bodyTimeout),
      idle: CoarseClock.ticks(patience.keepAlive),
    };
  }

  /** Sends a request on a connection of its own, as soon as there is one. */
  send(message: OutgoingMessage, receiver: Receiver): Sending {
    const { school } = message;
    if (!this.#isClosed && !this.#line.hasLine(school) && this.#line.mayTake(school)) {
      const connection = this.#take(school);
      connection.send(message, receiver);
      return connection;
    }
    const deadline = this.clock.now + this.#placeTicks;
    const waiting = new Waiting(message, receiver, deadline, (each) => this.#line.leave(each));
    const hasRoom = this.#line.join(waiting);
    if (this.#isClosed) queueMicrotask(() => waiting.abort(closed()));
    else if (!hasRoom) queueMicrotask(() => waiting.abort(new NoPlace('Too many requests of this school wait')));
    return waiting;
  }

  /** Ends the connections; requests in flight fail. */
  close(): void {
    this.#isClosed = true;
    for (const waiting of this.#line.everybody()) waiting.abort(closed());
    for (const connection of this.#all) connection.abort(closed());
  }

  freed(connection: Connection): void {
    this.#giveBack(connection);
    this.#free.push(connection);
    this.#serve();
  }

  gone(connection: Connection): void {
    this.#all.delete(connection);
    this.#giveBack(connection);
    const index = this.#free.indexOf(connection);
    if (index !== -1) this.#free.splice(index, 1);
    this.#serve();
    if (this.#all.size === 0) this.clock.stop();
  }

  #giveBack(connection: Connection): void {
    if (!this.#uses.has(connection)) return;
    this.#line.gave(this.#uses.get(connection));
    this.#uses.delete(connection);
  }

  /** Whoever may go goes. */
  #serve(): void {
    for (let next = this.#nextInLine(); next; next = this.#nextInLine()) next.go(this.#take(next.school));
  }

  #nextInLine(): Waiting | undefined {
    return this.#isClosed ? undefined : this.#line.next();
  }

  /** A connection in use for a school: the freshest that is free, or a new one. */
  #take(school: string | undefined): Connection {
    let connection = this.#free.pop();
    while (connection && !connection.isUsable) connection = this.#free.pop();
    connection ??= this.#open();
    this.#uses.set(connection, school);
    this.#line.took(school);
    return connection;
  }

  #open(): Connection {
    const connection = new Connection(this.#origin, this);
    this.#all.add(connection);
    this.clock.start();
    return connection;
  }

  #tick(): void {
    for (const connection of this.#all) if (connection.deadline <= this.clock.now) connection.expire();
    for (const waiting of this.#line.everybody())
      if (waiting.deadline <= this.clock.now)
        waiting.abort(new NoPlace('No connection to the service was free in time'));
  }
}

const closed = (): Error => new Error('The way to the service is closed');
