import type { IncomingMessage } from 'node:http';
import { schoolHeader } from '@lyceum/contracts';
import { serviceTokenHeader } from '@lyceum/internal-api';
import { type OperationRequest, forEachHeader } from '@lyceum/web';
import type { Dispatcher } from 'undici';
import { byHeaderName } from '../http/header-name-cache.ts';

/** A request as it goes on to a service. */
export interface OutgoingRequest {
  readonly method: Dispatcher.HttpMethod;
  /** Path and query. */
  readonly path: string;
  /** Name, value, name, value; without framing. */
  readonly headers: readonly string[];
  readonly body: IncomingMessage | string | null;
  /** The school whose share of the connections it takes; undefined for what belongs to no school. */
  readonly school: string | undefined;
}

/** Headers that concern one connection; undici writes those of the connection to the service. */
const connectionHeaders = ['transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'expect', 'te', 'trailer'];

const useOf = byHeaderName((name) => ({
  isPassed: !connectionHeaders.includes(name),
  isLength: name === 'content-length',
}));

/** Methods whose body has no meaning. */
const bodiless = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Makes the request for a service from a sanitized request, whose body is streamed. */
export function outgoingRequest(request: IncomingMessage, token: string): OutgoingRequest {
  const { method = 'GET', url: path = '/', headers: received, rawHeaders } = request;
  const hasBody =
    !bodiless.has(method) &&
    (received['transfer-encoding'] !== undefined || Number(received['content-length'] ?? 0) > 0);
  const headers: string[] = [];
  let school: string | undefined;
  forEachHeader(rawHeaders, (name, value) => {
    const { isPassed, isLength } = useOf(name);
    if (!isPassed || (isLength && !hasBody)) return;
    // The gateway sets this header; a client's own was removed.
    if (name === schoolHeader) school = value;
    headers.push(name, value);
  });
  headers.push(serviceTokenHeader, token);
  return { method: method as Dispatcher.HttpMethod, path, headers, body: hasBody ? request : null, school };
}

/** Makes the request for a service from a call of an operation. */
export function operationRequest(request: OperationRequest, token: string): OutgoingRequest {
  const { method, path, querystring, headers: given, json } = request;
  const body = json === undefined ? null : JSON.stringify(json);
  const type = body === null ? [] : ['content-type', 'application/json'];
  return {
    method: method as Dispatcher.HttpMethod,
    path: querystring === '' ? path : `${path}?${querystring}`,
    headers: [...Object.entries(given).flat(), ...type, serviceTokenHeader, token],
    body,
    school: given[schoolHeader],
  };
}
