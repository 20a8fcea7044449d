import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientAddressHeader, schoolHeader } from '@lyceum/contracts';
import type { Clock, Ids } from '@lyceum/kernel';
import type { Handler, ModulePorts, Upstream } from '@lyceum/runtime';
import { type Trusted, clientAddressOf } from './client-address.ts';
import { refuse, sendDocument, standingHeaders } from './answer.ts';
import type { Document } from '../documents/document.ts';
import type { Documents } from '../documents/documents.ts';
import type { Hosts } from '../hosts.ts';
import { methods, sanitise } from './hygiene.ts';
import { type Refusal, type Verdict, judge } from './verdict.ts';

/** What the front of the house works with. */
export interface Front {
  readonly hosts: Pick<Hosts, 'at'>;
  readonly documents: Pick<Documents, 'at'>;
  /** A service by name; throws when nobody knows it. */
  readonly upstream: (service: string) => Pick<Upstream, 'forward'>;
  /** Whose word about where a request comes from is taken. */
  readonly trusted: Trusted;
  readonly ids: Pick<Ids, 'next'>;
  readonly clock: Clock;
  readonly logger: Pick<ModulePorts['logger'], 'debug' | 'info' | 'error'>;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
}

const acceptableId = /^[\w.:-]{1,64}$/;

/**
 * Answers every request from outside: names it, judges it, and refuses it, sends a prepared document or hands it to the
 * service that owns the path. Nothing that is refused reaches a service; a client that goes away harms nobody.
 */
export function front(house: Front): Handler {
  const distrusted = new WeakSet<Socket>();
  return (request, response) => {
    // Node may have read more requests of a connection that is being closed for a malformed one: they are not answered.
    if (distrusted.has(request.socket)) return;
    const sent = request.headers['x-request-id'];
    const requestId = typeof sent === 'string' && acceptableId.test(sent) ? sent : house.ids.next('req');
    const gone = (error: Error): void =>
      house.logger.debug({ request_id: requestId, reason: error.message }, 'client gone');
    request.on('error', gone);
    response.on('error', gone);
    const exchange = { request, response, requestId };
    const verdict = judge(request, house.hosts, house.documents);
    if (verdict.kind === 'forward') return forward(house, exchange, verdict);
    if (verdict.kind === 'refuse' && verdict.close) distrusted.add(request.socket);
    logWhenAnswered(house, exchange, verdict);
    if (verdict.kind === 'document') present(house, exchange, verdict);
    else turnAway(exchange, verdict);
  };
}

function turnAway({ response, requestId }: Exchange, { code, description, close, school }: Refusal): void {
  const headers = {
    ...(close ? { Connection: 'close' } : {}),
    ...(code === 'method_not_allowed' ? { Allow: methods.join(', ') } : {}),
  };
  refuse(response, code, requestId, { description, school, headers });
}

/** Sends a prepared document, at once or when it is made. */
function present(
  { logger }: Front,
  { request, response, requestId }: Exchange,
  { document, school }: Extract<Verdict, { kind: 'document' }>,
): void {
  if (!(document instanceof Promise)) return sendDocument(request, response, document, requestId, school);
  const send = (made: Document): void => sendDocument(request, response, made, requestId, school);
  document.then(send).catch((err: unknown) => {
    logger.error({ request_id: requestId, err }, 'a document could not be made');
    if (!response.headersSent) refuse(response, 'server_error', requestId, { school });
  });
}

/** One line per answer of the gateway's own; services log theirs. Paths that lead nowhere are not logged: anything may stand in them. */
function logWhenAnswered({ clock, logger }: Front, { request, response, requestId }: Exchange, verdict: Verdict): void {
  const begun = clock.now();
  response.once('finish', () =>
    logger.info({
      method: request.method,
      route: verdict.kind === 'document' ? verdict.path : '-',
      status: response.statusCode,
      duration_ms: clock.now() - begun,
      request_id: requestId,
      ...(verdict.school ? { school: verdict.school.id } : {}),
    }),
  );
}

/** Hands the request on. A service that is missing or throws, at once or later, costs its one answer and never the process. */
function forward(house: Front, exchange: Exchange, verdict: Extract<Verdict, { kind: 'forward' }>): void {
  const { request, response, requestId } = exchange;
  const { service, school, target } = verdict;
  const failed = (error: unknown): void => {
    house.logger.error({ request_id: requestId, module: service, err: error }, 'a service failed to answer');
    if (response.writableEnded) return;
    if (response.headersSent) response.destroy();
    else refuse(response, 'server_error', requestId, { school, headers: { Connection: 'close' } });
  };
  let upstream: Pick<Upstream, 'forward'>;
  try {
    upstream = house.upstream(service);
  } catch {
    return refuse(response, 'temporarily_unavailable', requestId, { school, headers: { 'Retry-After': '5' } });
  }
  request.url = target.url;
  sanitise(request, ours(house, exchange, verdict));
  for (const [name, value] of Object.entries(standingHeaders(requestId, school))) response.setHeader(name, value);
  // A handler may be an async function behind its type: both ways of failing end here.
  void (async () => upstream.forward(request, response))().catch(failed);
}

/** What a service may believe: these headers come from us and from nobody else. */
const ours = (
  { trusted }: Front,
  { request, requestId }: Exchange,
  { school, target }: Extract<Verdict, { kind: 'forward' }>,
): Readonly<Record<string, string>> => ({
  [schoolHeader]: school.id,
  'x-request-id': requestId,
  [clientAddressHeader]: clientAddressOf(request, trusted),
  ...(target.authority === undefined ? {} : { host: target.authority }),
});
