import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Peer, type Upstream, idleFor, serviceTokenHeader } from '@lyceum/internal-api';
import { type OperationResponse, setHeaders } from '@lyceum/web';
import { Breaker } from './breaker.ts';
import { ClientResponse, type ReadPace } from './client-response.ts';
import { CollectedResponse } from './collected-response.ts';
import { type OutgoingRequest, operationRequest, outgoingRequest } from './outgoing-request.ts';
import { type Failure, type Instance, Sender } from './sender.ts';
import { clientSpans } from './traced-attempt.ts';
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

/** Milliseconds. */
const standard: Patience = {
  connectTimeout: 2_000,
  placeTimeout: 5_000,
  headersTimeout: 30_000,
  bodyTimeout: 300_000,
  keepAlive: idleFor,
  readTimeout: 20_000,
  readRate: 16 * 1024,
};
/** Largest response that is collected in memory. Bytes. */
const largestCollected = 16 * 1024 * 1024;
/** The longest that a service may take to describe itself, and the most that it may say. Milliseconds, bytes. */
const [longestDescribing, largestDescription] = [10_000, 2 * 1024 * 1024];

/**
 * A service over HTTP, on kept connections. Requests and responses are streamed. A request is tried again only when nothing
 * of it was sent, for a second, or once, when it is idempotent, has no body and nothing of a response was passed on: no
 * POST is ever sent twice. Where there are several instances, it is tried once more, at another one. An instance that fails
 * again and again is not asked for a while. A failure of the service ends this response only: 503 with Retry-After before it began.
 */
export function httpUpstream(peer: Peer, options: HttpUpstreamOptions): HttpUpstream {
  const { name, token } = peer;
  const { now = () => performance.now(), report } = options;
  const patience = { ...standard, ...options.patience };
  const instances = peer.urls.map((url): Instance => ({
    url,
    pool: new UpstreamPool(url, patience, options.authority),
    breaker: new Breaker(now),
  }));
  const sender = new Sender(name, instances, peer.tracer && clientSpans(peer.tracer, name));
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

/** Sends a request and collects the whole response. Rejects when none comes, or none within these milliseconds and bytes. */
function collect(
  sender: Sender,
  request: OutgoingRequest,
  longest?: number,
  largest = largestCollected,
): Promise<CollectedResponse> {
  return new Promise((resolve, reject) => {
    const collected = new CollectedResponse(largest, () => resolve(collected));
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
  const { status, text } = await collect(sender, request, longestDescribing, largestDescription);
  if (status !== 200) throw new Error(`the ${name} service answers ${status}`);
  return JSON.parse(text) as Record<string, unknown>;
}
