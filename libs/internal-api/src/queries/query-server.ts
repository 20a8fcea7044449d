import { type Tracer, inSpan, isObject } from '@lyceum/kernel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem, answerError, answerJson, readBytes } from '@lyceum/web';
import { type QueriedService, type ServiceQuery, serviceQueryPath } from './query-client.ts';
import { serviceTokenCheck } from '../service-token.ts';

/** What the server of service queries needs. */
interface Answering {
  readonly token: string;
  /** A service of this process, once it has started. */
  readonly service: (name: string) => QueriedService | undefined;
  readonly requestId: () => string;
  readonly report: (error: unknown) => void;
  /** Given where traces are told of. */
  readonly tracer?: Tracer | undefined;
}

/** Largest question, in bytes. */
const longest = 16 * 1024;

/**
 * The server of service queries: `POST /internal/ask/<service>`, for those who show the service token, even before
 * the application is ready. Returns false for everything else.
 */
export function serviceQueryServer(open: Answering): (request: IncomingMessage, response: ServerResponse) => boolean {
  const isNeighbour = serviceTokenCheck(open.token);
  return (request, response) => {
    const path = request.url ?? '';
    if (request.method !== 'POST' || !path.startsWith(serviceQueryPath('')) || !isNeighbour(request)) return false;
    void traced(open, request, response, path.slice(serviceQueryPath('').length)).catch((error: unknown) => {
      open.report(error);
      unavailable(open, response);
    });
    return true;
  };
}

/** Replies, in the trace that the other service names. */
function traced(open: Answering, request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
  const { traceparent } = request.headers;
  if (!open.tracer || typeof traceparent !== 'string') return reply(open, request, response, name);
  const route = serviceQueryPath('{service}');
  const span = open.tracer.begin(`POST ${route}`, {
    kind: 'server',
    parent: traceparent,
    attributes: { 'http.request.method': 'POST', 'http.route': route },
  });
  return inSpan(span, async () => {
    await reply(open, request, response, name);
    const { statusCode } = response;
    span.set({
      'http.response.status_code': statusCode,
      'error.type': statusCode < 500 ? undefined : String(statusCode),
    });
  });
}

async function reply(open: Answering, request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
  const started = open.service(name);
  if (!started?.answer) return unavailable(open, response);
  const question = await queryOf(request);
  if (!question) return answerError(response, 'invalid_request', open.requestId());
  answerJson(response, 200, { answer: await started.answer(question) });
}

const unavailable = ({ requestId }: Answering, response: ServerResponse): void =>
  answerError(response, 'temporarily_unavailable', requestId(), { headers: { 'retry-after': '1' } });

async function queryOf(request: IncomingMessage): Promise<ServiceQuery | undefined> {
  try {
    const body = await readBytes(request, longest, () => new Problem('payload_too_large'));
    const asked: unknown = JSON.parse(body.toString('utf8'));
    return isObject(asked) && typeof asked['kind'] === 'string' ? { ...asked, kind: asked['kind'] } : undefined;
  } catch {
    return undefined;
  }
}
