import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { FairQueue } from '@lyceum/web';
import { type Dispatcher, Pool, buildConnector } from 'undici';
import { type Attempt, NoFreeConnection } from './attempt.ts';
import { RequestBody } from './request-body.ts';

/** How long steps of a request may take, milliseconds. undici measures times above a second in steps of half a second. */
export interface UpstreamTimeouts {
  /** Until a connection is established. */
  readonly connectTimeout: number;
  /** Until a connection is free. */
  readonly placeTimeout: number;
  /** Until the response head arrives, while the body of the request is not what is waited for. */
  readonly headersTimeout: number;
  /** Between two pieces of the response body. */
  readonly bodyTimeout: number;
  /** How long an idle connection is kept. */
  readonly keepAlive: number;
}

/** An attempt that waits for a connection. */
interface Waiting {
  readonly attempt: Attempt;
  readonly school: string | undefined;
  readonly timer: NodeJS.Timeout;
}

/**
 * Connections to one instance of a service, one request at a time on each. Beyond `most` requests at a time, or the share
 * of their school, the next ones wait in line.
 */
export class UpstreamPool {
  readonly #pool: Pool;
  readonly #servername: string | undefined;
  readonly #queue: FairQueue<Waiting>;
  readonly #placeTimeout: number;
  #isClosed = false;

  constructor(url: string, timeouts: UpstreamTimeouts, authority?: string, most = 256) {
    const { protocol, hostname, origin } = new URL(url);
    this.#servername = protocol === 'https:' ? hostname : undefined;
    this.#queue = new FairQueue({ places: most });
    this.#placeTimeout = timeouts.placeTimeout;
    this.#pool = new Pool(origin, {
      connections: most,
      pipelining: 1,
      connect: connectorTo(hostname, timeouts.connectTimeout, authority),
      headersTimeout: timeouts.headersTimeout,
      bodyTimeout: timeouts.bodyTimeout,
      keepAliveTimeout: timeouts.keepAlive,
      keepAliveMaxTimeout: timeouts.keepAlive,
      maxHeaderSize: 16_384,
    });
  }

  /** Sends a request on a connection of its own, as soon as one is free. */
  send(attempt: Attempt): void {
    const { school } = attempt.request;
    if (this.#isClosed) return queueMicrotask(() => attempt.cancel(closedError()));
    if (!this.#queue.hasQueued(school) && this.#queue.mayStart(school)) return this.#dispatch(attempt);
    const late = (): void => attempt.cancel(new NoFreeConnection('No connection to the service was free in time'));
    const waiting: Waiting = { attempt, school, timer: setTimeout(late, this.#placeTimeout).unref() };
    attempt.onCancel = () => {
      clearTimeout(waiting.timer);
      this.#queue.remove(waiting);
    };
    if (!this.#queue.enqueue(waiting))
      queueMicrotask(() => attempt.cancel(new NoFreeConnection('Too many requests of this school wait')));
  }

  /** Ends the connections; requests in flight fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { attempt } of this.#queue.inQueuesLongerThan(0)) attempt.cancel(closedError());
    await this.#pool.destroy(closedError());
  }

  #dispatch(attempt: Attempt): void {
    const { method, path, headers, body, school } = attempt.request;
    this.#queue.started(school);
    attempt.onCancel = undefined;
    attempt.onOver = () => {
      this.#queue.finished(school);
      this.#serveNext();
    };
    // Every request names the same TLS server, whichever school its Host header names.
    const options: Dispatcher.DispatchOptions & { servername?: string } = {
      method,
      path,
      headers: headers as string[],
      body: body === null || typeof body === 'string' ? body : (new RequestBody(body) as never),
      ...(this.#servername !== undefined && { servername: this.#servername }),
    };
    this.#pool.dispatch(options, attempt);
  }

  #serveNext(): void {
    if (this.#isClosed) return;
    for (let next = this.#queue.next(); next; next = this.#queue.next()) {
      clearTimeout(next.timer);
      this.#dispatch(next.attempt);
    }
  }
}

/** Opens connections, by TLS for https. `authority`: PEM of a certificate authority to trust beside those of Node. */
function connectorTo(hostname: string, timeout: number, authority: string | undefined): buildConnector.connector {
  const ca = authority === undefined ? {} : { ca: [...rootCertificates, authority] };
  const connect = buildConnector({ timeout, ...ca });
  // RFC 6066 §3 allows no address as a server name.
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  return (options, callback) => {
    const { servername: _always, ...unnamed } = options;
    connect(isAddress ? unnamed : options, callback);
  };
}

const closedError = (): Error => new Error('The connections to the service are closed');
