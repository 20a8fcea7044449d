import type { IncomingMessage, ServerResponse } from 'node:http';
import { schoolHeader } from '@lyceum/contracts';
import type { Ids } from '@lyceum/kernel';
import type { Handler, ModulePorts, Upstream } from '@lyceum/runtime';
import { refuse, sendDocument, standingHeaders } from './answer.ts';
import type { Documents } from './documents.ts';
import type { Hosts } from './hosts.ts';
import { faultOf, methods, sanitise } from './hygiene.ts';
import { serviceOf } from './routes.ts';
import type { School } from './school.ts';
import { authorityOf, parseTarget } from './target.ts';

/** What the front of the house works with. */
export interface Front {
  readonly hosts: Pick<Hosts, 'at'>;
  readonly documents: Pick<Documents, 'at'>;
  /** A service by name; throws when nobody knows it. */
  readonly upstream: (service: string) => Pick<Upstream, 'forward'>;
  readonly ids: Pick<Ids, 'next'>;
  readonly logger: Pick<ModulePorts['logger'], 'debug' | 'error'>;
}

const acceptable = /^[\w.-]{1,128}$/;

/**
 * Answers every request from outside, in this order: request id, hygiene, host, documents, route, forward. Nothing that is
 * refused reaches a service; a client that goes away harms nobody.
 */
export function front(house: Front): Handler {
  return (request, response) => {
    const sent = request.headers['x-request-id'];
    const requestId = typeof sent === 'string' && acceptable.test(sent) ? sent : house.ids.next('req');
    const gone = (error: Error): void =>
      house.logger.debug({ requestId, reason: error.message }, 'the client went away');
    request.on('error', gone);
    response.on('error', gone);
    answer(house, request, response, requestId);
  };
}

function answer(house: Front, request: IncomingMessage, response: ServerResponse, requestId: string): void {
  const bad = (description: string): void =>
    refuse(response, 'invalid_request', requestId, { description, headers: { Connection: 'close' } });
  const fault = faultOf(request);
  if (fault?.code === 'method_not_allowed')
    return refuse(response, fault.code, requestId, {
      description: fault.description,
      headers: { Connection: 'close', Allow: methods.join(', ') },
    });
  if (fault) return bad(fault.description);
  const target = parseTarget(request.url ?? '');
  if (typeof target === 'string') return bad(target);
  const authority = authorityOf(target, request.headers.host);
  if (typeof authority === 'string') return bad(authority);
  const school = house.hosts.at(authority);
  if (!school) return refuse(response, 'not_found', requestId, { description: 'There is no school at this host' });
  const document = house.documents.at(school, target.path);
  if (document) return sendDocument(request, response, document, requestId, school);
  const service = serviceOf(target.path);
  if (service === undefined)
    return refuse(response, 'not_found', requestId, { school, description: 'There is nothing at this path' });
  request.url = target.url;
  if (target.authority !== undefined)
    sanitise(request, { host: target.authority, ...ours(request, school, requestId) });
  else sanitise(request, ours(request, school, requestId));
  forward(house, service, school, request, response, requestId);
}

/** What a service may believe: these come from us and from nobody else. */
const ours = (request: IncomingMessage, school: School, requestId: string): Readonly<Record<string, string>> => ({
  [schoolHeader]: school.id,
  'x-request-id': requestId,
  'x-forwarded-for': request.socket.remoteAddress ?? '',
});

/** Hands the request on. A service that throws, at once or later, costs its one answer and never the process. */
function forward(
  house: Front,
  service: string,
  school: School,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): void {
  const failed = (error: unknown): void => {
    house.logger.error({ requestId, service, err: error }, 'a service failed to answer');
    if (response.headersSent) response.destroy();
    else refuse(response, 'server_error', requestId, { school, headers: { Connection: 'close' } });
  };
  let upstream: Pick<Upstream, 'forward'>;
  try {
    upstream = house.upstream(service);
  } catch {
    return refuse(response, 'temporarily_unavailable', requestId, { school, headers: { 'Retry-After': '5' } });
  }
  try {
    for (const [name, value] of Object.entries(standingHeaders(requestId, school))) response.setHeader(name, value);
    void Promise.resolve(upstream.forward(request, response) as unknown).catch(failed);
  } catch (error) {
    failed(error);
  }
}
