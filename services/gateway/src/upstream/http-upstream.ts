import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Peer, type Upstream, serviceTokenHeader } from '@lyceum/internal-api';
import { type OperationResponse, setHeaders } from '@lyceum/web';
import { errors } from 'undici';
import { Attempt, type AttemptFailure, ClientGone, type ResponseSink } from './attempt.ts';
import { Breaker } from './breaker.ts';
import { ClientResponse, type ReadPace } from './client-response.ts';
import { CollectedResponse } from './collected-response.ts';
import { type OutgoingRequest, operationRequest, outgoingRequest } from './outgoing-request.ts';
import { UpstreamPool, type UpstreamTimeouts } from './upstream-pool.ts';

/** How long a service, and a client, may take, milliseconds. */
interface Patience extends UpstreamTimeouts, ReadPace {}

/** Tells the client that a service cannot answer. `retryAfter` in seconds. */
export type Refuse = (response: ServerResponse, description: string, retryAfter: number) => void;

/** What an upstream over HTTP needs beside the address. */
export interface HttpUpstreamOptions {
  readonly refuse: Refuse;
  /** Called for every failure that was not the client's doing. */
  readonly report: (error: unknown) => void;
  readonly patience?: Partial<Patience>;
  /** PEM of a certificate authority to trust beside those of Node. */
  readonly authority?: string;
  readonly now?: () => number;
}

/** A service in other processes. */
export interface HttpUpstream extends Upstream {
  /** Ends the connections; requests in flight fail. */
  close(): Promise<void>;
}

interface Instance {
  readonly pool: UpstreamPool;
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
/** Largest response that is collected in memory. Bytes. */
const largestCollected = 16 * 1024 * 1024;
/** The longest that a service may take to describe itself. Milliseconds. */
const longestDescribing = 10_000;

const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/**
 * A service over HTTP, on kept connections. Requests and responses are streamed. A request is tried a second time, at
 * another instance where there is one, only when nothing of it was sent, or when it is idempotent, has no body and
 * nothing of a response was passed on: no POST is ever sent twice. An instance that fails again and again is not asked
 * for a while. A failure of the service ends this response only: 503 with Retry-After before it began.
 */
export function httpUpstream(peer: Peer, options: HttpUpstreamOptions): HttpUpstream {
  const { name, token } = peer;
  const { now = () => performance.now(), report } = options;
  const patience = { ...standard, ...options.patience };
  const instances = peer.urls.map((url): Instance => ({
    pool: new UpstreamPool(url, patience, options.authority),
    breaker: new Breaker(now),
  }));
  const sender = new Sender(name, instances);
  const forward = (
    request: IncomingMessage,
    response: ServerResponse,
    defaultHeaders: readonly string[] = [],
  ): void => {
    const sink = new ClientResponse(response, defaultHeaders, patience);
    const sending = sender.send(outgoingRequest(request, token), sink, (failure) => {
      if (failure.error) report(failure.error);
      if (sink.hasBegun) response.destroy();
      else giveUp(request, sink, failure, options.refuse);
    });
    response.once('close', () => sending.cancel());
  };
  return {
    name,
    forward,
    async ask(request) {
      try {
        return operationResponse(await collect(sender, operationRequest(request, token)));
      } catch (error) {
        report(error);
        throw error;
      }
    },
    describe: () => describe(sender, name, token),
    close: async () => void (await Promise.all(instances.map(({ pool }) => pool.close()))),
  };
}

/** Why a request got no response. `error`: what to report, if anything. */
interface Failure {
  readonly error?: Error | undefined;
  readonly description: string;
  /** Seconds. */
  readonly retryAfter: number;
}

/** A request on its way. */
interface Sending {
  /** The client went away. */
  cancel(): void;
}

function giveUp(
  request: IncomingMessage,
  { response, defaultHeaders }: ClientResponse,
  { description, retryAfter }: Failure,
  refuse: Refuse,
): void {
  if (response.destroyed) return;
  setHeaders(response, defaultHeaders);
  // What is left of the request is not read: the connection cannot be used again.
  if (!request.complete) response.setHeader('connection', 'close');
  refuse(response, description, retryAfter);
}

/** Sends a request and collects the whole response. Rejects when none comes, or within `longest` milliseconds none is whole. */
function collect(sender: Sender, request: OutgoingRequest, longest?: number): Promise<CollectedResponse> {
  return new Promise((resolve, reject) => {
    const collected = new CollectedResponse(largestCollected, () => resolve(collected));
    const sending = sender.send(request, collected, ({ description, error }) =>
      reject(new Error(description, { cause: error })),
    );
    if (longest === undefined) return;
    setTimeout(() => {
      sending.cancel();
      reject(new Error('The service takes too long to answer'));
    }, longest).unref();
  });
}

/** A response as `ask` gives it: one that is not JSON is a fault of the service. */
function operationResponse({ status, headers, text }: CollectedResponse): OperationResponse {
  try {
    return { status, headers, body: text === '' ? undefined : JSON.parse(text) };
  } catch {
    return { status: 502, headers, body: undefined };
  }
}

/** The service's own OpenAPI document. Throws when no instance gives it. */
async function describe(sender: Sender, name: string, token: string): Promise<Record<string, unknown>> {
  const path = `/internal/openapi/${name}`;
  const request = { method: 'GET', path, headers: [serviceTokenHeader, token], body: null, school: undefined } as const;
  const { status, text } = await collect(sender, request, longestDescribing);
  if (status !== 200) throw new Error(`the ${name} service answers ${status}`);
  return JSON.parse(text) as Record<string, unknown>;
}

/** Sends requests to the instances of one service. */
class Sender {
  readonly #name: string;
  readonly #instances: readonly Instance[];
  #turn = 0;

  constructor(name: string, instances: readonly Instance[]) {
    this.#name = name;
    this.#instances = instances;
  }

  /** Sends a request; `failed` is called when no whole response comes, but not when the client went away. */
  send(request: OutgoingRequest, sink: ResponseSink, failed: (failure: Failure) => void): Sending {
    let current: Attempt | undefined;
    let isGone = false;
    const attempt = (before: Instance | undefined): void => {
      const instance = this.#choose(before);
      if (!instance) return failed(this.#failure(`The ${this.#name} service does not answer`));
      current = new Attempt(request, sink, {
        done: () => instance.breaker.answered(),
        failed: (failure) => {
          if (failure.isClientGone || isGone) return;
          const again = this.#judge(request, sink, instance, before !== undefined, failure);
          if (again === 'again') void this.#pause().then(() => isGone || attempt(instance));
          else failed(again);
        },
      });
      instance.pool.send(current);
    };
    attempt(undefined);
    return {
      cancel() {
        isGone = true;
        // Every response closes in the end: an error, which costs a stack trace, is made for the others only.
        if (current && !current.isOver) current.cancel(new ClientGone('the client went away'));
      },
    };
  }

  /** What follows from a failed attempt. */
  #judge(
    request: OutgoingRequest,
    sink: ResponseSink,
    { breaker }: Instance,
    isSecond: boolean,
    failure: AttemptFailure,
  ): 'again' | Failure {
    const { error, isSent, isUnasked } = failure;
    const name = this.#name;
    if (isUnasked)
      return this.#failure(`Too many requests to the ${name} service are under way: try again in a moment`);
    if (error instanceof errors.InvalidArgumentError || error instanceof errors.NotSupportedError)
      return this.#failure('The request cannot be passed on', error);
    breaker.failed();
    if (!isSecond && !sink.hasBegun && (!isSent || isRepeatable(request))) return 'again';
    const description = isSent
      ? `The ${name} service did not answer; it may have done what was asked: repeat it with the same Idempotency-Key`
      : `The ${name} service cannot be reached`;
    return this.#failure(description, error);
  }

  #failure(description: string, error?: Error): Failure {
    const wait = Math.min(...this.#instances.map(({ breaker }) => breaker.wait));
    return { description, error, retryAfter: Math.max(1, Math.ceil(wait / 1_000)) };
  }

  /** The second try goes elsewhere at once; at the only instance it waits a moment. */
  async #pause(): Promise<void> {
    if (this.#instances.length === 1) await delay(secondTryAfter);
  }

  /** Instances take turns; one that rests, or has just failed, is chosen only when there is no other. */
  #choose(before: Instance | undefined): Instance | undefined {
    this.#turn += 1;
    const { length } = this.#instances;
    const inTurn = this.#instances.map((_, index) => this.#instances[(this.#turn + index) % length]!);
    const others = inTurn.filter((instance) => instance !== before);
    return others.find(({ breaker }) => breaker.admits()) ?? (before?.breaker.admits() ? before : undefined);
  }
}

const isRepeatable = ({ method, body }: OutgoingRequest): boolean => body === null && idempotent.has(method);
