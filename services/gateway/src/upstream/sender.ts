import { setTimeout as delay } from 'node:timers/promises';
import { errors } from 'undici';
import { Attempt, type AttemptFailure, ClientGone, type ResponseSink } from './attempt.ts';
import type { Breaker } from './breaker.ts';
import type { OutgoingRequest } from './outgoing-request.ts';
import type { Traced } from './traced-attempt.ts';
import type { UpstreamPool } from './upstream-pool.ts';

/** Milliseconds before the second try at the only instance; twice as long each time, up to the most. */
const [firstPause, longestPause] = [50, 400];

/** Milliseconds for which a request of which nothing was sent is tried again at the only instance. */
const unsentFor = 1_000;

const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** One process of a service. */
export interface Instance {
  readonly url: string;
  readonly pool: UpstreamPool;
  readonly breaker: Breaker;
}

/** Why a request got no response. `error`: what to report, if anything. */
export interface Failure {
  readonly error?: Error | undefined;
  readonly description: string;
  /** Seconds. */
  readonly retryAfter: number;
}

/** A request on its way. */
export interface Sending {
  /** The client went away. */
  cancel(): void;
}

/** Sends requests to the instances of one service. */
export class Sender {
  readonly #name: string;
  readonly #instances: readonly Instance[];
  /** Tells of an attempt as a span; undefined where nothing is told. */
  readonly #traced: Traced | undefined;
  #turn = 0;

  constructor(name: string, instances: readonly Instance[], traced: Traced | undefined) {
    this.#name = name;
    this.#instances = instances;
    this.#traced = traced;
  }

  /** Sends a request; `failed` is called when no whole response comes, but not when the client went away. */
  send(request: OutgoingRequest, sink: ResponseSink, failed: (failure: Failure) => void): Sending {
    let current: Attempt | undefined;
    let isGone = false;
    let tries = 0;
    const since = performance.now();
    const attempt = (before: Instance | undefined): void => {
      tries += 1;
      const instance = this.#choose(before);
      if (!instance) return failed(this.#failure(`The ${this.#name} service does not answer`));
      const traced = this.#traced?.(request, instance.url, before !== undefined);
      current = new Attempt(traced?.request ?? request, sink, {
        done: (status) => {
          traced?.answered(status);
          instance.breaker.answered();
        },
        failed: (failure) => {
          traced?.failed(failure.error);
          if (failure.isClientGone || isGone) return;
          const again = this.#judge(request, sink, instance, { tries, since }, failure);
          if (again === 'again') void this.#pause(tries).then(() => isGone || attempt(instance));
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
    { tries, since }: { readonly tries: number; readonly since: number },
    failure: AttemptFailure,
  ): 'again' | Failure {
    const { error, isSent, isUnasked } = failure;
    const name = this.#name;
    if (isUnasked)
      return this.#failure(`Too many requests to the ${name} service are under way: try again in a moment`);
    if (error instanceof errors.InvalidArgumentError || error instanceof errors.NotSupportedError)
      return this.#failure('The request cannot be passed on', error);
    // A trial is one try.
    if (!isSent && this.#isOnly && !breaker.isResting && performance.now() - since < unsentFor) return 'again';
    breaker.failed();
    if (tries === 1 && !sink.hasBegun && (!isSent || isRepeatable(request))) return 'again';
    const description = isSent
      ? `The ${name} service did not answer; it may have done what was asked: repeat it with the same Idempotency-Key`
      : `The ${name} service cannot be reached`;
    return this.#failure(description, error);
  }

  #failure(description: string, error?: Error): Failure {
    const wait = Math.min(...this.#instances.map(({ breaker }) => breaker.wait));
    return { description, error, retryAfter: Math.max(1, Math.ceil(wait / 1_000)) };
  }

  /** Another try goes elsewhere at once; at the only instance it waits a moment. */
  async #pause(tries: number): Promise<void> {
    if (this.#isOnly) await delay(Math.min(firstPause * 2 ** (tries - 1), longestPause));
  }

  /** An address may stand for many processes, as a Service of Kubernetes does, which names one that was killed for a second more. */
  get #isOnly(): boolean {
    return this.#instances.length === 1;
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
