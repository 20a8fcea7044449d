import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Peer, Upstream } from '@lyceum/internal-api';
import { type Failure, Passage, type Reading, attempt } from './attempt.ts';
import { Breaker } from './breaker.ts';
import { describe } from './describe.ts';
import { type Standing, outgoing } from './message.ts';
import { ConnectionPool, type PoolPatience } from './wire/connection-pool.ts';
import type { OutgoingMessage } from './wire/exchange.ts';
import { originOf } from './wire/origin.ts';

/** How long a service, and a client, may take, milliseconds. */
interface Patience extends PoolPatience, Reading {}

/** How a service that cannot answer is told to the client. */
export type Refuse = (response: ServerResponse, description: string, retryAfter: number) => void;

/** What an upstream over HTTP needs beside the address. */
export interface HttpUpstreamOptions {
  readonly refuse: Refuse;
  /** Hears of every failure that was not the client's doing. */
  readonly report: (error: unknown) => void;
  readonly patience?: Partial<Patience>;
  /** A certificate authority to trust beside those that Node knows, as PEM. */
  readonly authority?: string;
  readonly now?: () => number;
}

/** A service in other processes. */
export interface HttpUpstream extends Upstream {
  /** As `forward`; the answer carries these headers where the service does not say otherwise. They are asked for once. */
  forwardWith(request: IncomingMessage, response: ServerResponse, standing: () => Standing): void;
  /** Ends the connections; requests in flight fail. */
  close(): Promise<void>;
}

interface Instance {
  readonly pool: ConnectionPool;
  readonly breaker: Breaker;
}

/** Milliseconds. Idle connections end before the service's own 65 s, so no request meets one that is just being closed. */
const standard: Patience = {
  connectTimeout: 2_000,
  placeTimeout: 5_000,
  headersTimeout: 30_000,
  bodyTimeout: 300_000,
  keepAlive: 50_000,
  readTimeout: 20_000,
  readRate: 16 * 1024,
};
const secondTryAfter = 50;

const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/**
 * A service over HTTP, on kept connections. Requests and answers are streamed. A request is tried a second time, at
 * another instance where there is one, only when nothing of it was sent, or when it is idempotent, has no body and
 * nothing of an answer came: no POST is ever sent twice. An instance that fails again and again is left alone for a
 * moment. Whatever happens to the service costs the one answer: 503 with Retry-After before it began, else its end.
 */
export function httpUpstream(peer: Peer, options: HttpUpstreamOptions): HttpUpstream {
  const { now = () => performance.now() } = options;
  const patience = { ...standard, ...options.patience };
  const instances = peer.urls.map((url): Instance => ({
    pool: new ConnectionPool(originOf(url, options.authority), patience),
    breaker: new Breaker(now),
  }));
  const sender = new Sender(peer, instances, options, patience);
  return {
    name: peer.name,
    forward: (request, response) => sender.send(request, response, () => []),
    forwardWith: (request, response, standing) => sender.send(request, response, standing),
    describe: () =>
      describe(
        peer,
        instances.map(({ pool }) => pool),
      ),
    close: async () => instances.forEach(({ pool }) => pool.close()),
  };
}

class Sender {
  readonly #peer: Peer;
  readonly #instances: readonly Instance[];
  readonly #options: HttpUpstreamOptions;
  readonly #reading: Reading;
  #turn = 0;

  constructor(peer: Peer, instances: readonly Instance[], options: HttpUpstreamOptions, reading: Reading) {
    this.#peer = peer;
    this.#instances = instances;
    this.#options = options;
    this.#reading = reading;
  }

  send(request: IncomingMessage, response: ServerResponse, standing: () => Standing): void {
    let message: OutgoingMessage;
    try {
      message = outgoing(request, this.#peer.token);
    } catch (error) {
      this.#options.report(error);
      return this.#giveUp(request, response, standing(), 'The request cannot be passed on');
    }
    this.#try(request, new Passage(message, response, standing), undefined);
  }

  /** `before`: the instance at which the first try failed. */
  #try(request: IncomingMessage, passage: Passage, before: Instance | undefined): void {
    const instance = this.#choose(before);
    const { response } = passage;
    if (!instance)
      return this.#giveUp(request, response, passage.standing(), `The ${this.#peer.name} service does not answer`);
    attempt(instance.pool, passage, this.#reading, {
      done: () => instance.breaker.answered(),
      failed: (failure) => {
        if (failure.isClientGone) return;
        if (failure.isUnasked) return this.#giveUp(request, response, passage.standing(), busy(this.#peer.name));
        instance.breaker.failed();
        const mayRepeat = !before && !failure.isAnswered && isRepeatable(passage.message, failure);
        if (mayRepeat) return void this.#again(request, passage, instance);
        this.#options.report(failure.error);
        if (failure.isAnswered) response.destroy();
        else this.#giveUp(request, response, passage.standing(), describeFailure(this.#peer.name, failure));
      },
    });
  }

  /** The second try goes elsewhere at once; at the only instance it waits a moment. */
  async #again(request: IncomingMessage, passage: Passage, before: Instance): Promise<void> {
    if (this.#instances.length === 1) await delay(secondTryAfter);
    if (!passage.response.destroyed) this.#try(request, passage, before);
  }

  /** Instances take turns; one that rests, or has just failed, only when there is no other. */
  #choose(before: Instance | undefined): Instance | undefined {
    // One instance that is well: what follows would find it too.
    if (!before && this.#instances.length === 1)
      return this.#instances[0]!.breaker.admits() ? this.#instances[0] : undefined;
    this.#turn += 1;
    const { length } = this.#instances;
    const inTurn = this.#instances.map((_, index) => this.#instances[(this.#turn + index) % length]!);
    const others = inTurn.filter((instance) => instance !== before);
    return others.find(({ breaker }) => breaker.admits()) ?? (before?.breaker.admits() ? before : undefined);
  }

  #giveUp(request: IncomingMessage, response: ServerResponse, standing: Standing, description: string): void {
    if (response.destroyed) return;
    for (let index = 0; index < standing.length; index += 2) response.setHeader(standing[index]!, standing[index + 1]!);
    // What is left of the request is not read: the connection cannot be used again.
    if (!request.complete) response.setHeader('connection', 'close');
    const wait = Math.min(...this.#instances.map(({ breaker }) => breaker.wait));
    this.#options.refuse(response, description, Math.max(1, Math.ceil(wait / 1_000)));
  }
}

const isRepeatable = ({ method, body }: OutgoingMessage, { isSent }: Failure): boolean =>
  !isSent || (body === null && idempotent.has(method));

const busy = (name: string): string => `Too many requests to the ${name} service are under way: try again in a moment`;

const describeFailure = (name: string, { isSent }: Failure): string =>
  isSent
    ? `The ${name} service did not answer; it may have done what was asked: repeat it with the same Idempotency-Key`
    : `The ${name} service cannot be reached`;
