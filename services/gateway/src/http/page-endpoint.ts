import type { IncomingMessage, ServerResponse } from 'node:http';
import { schoolHeader } from '@lyceum/contracts';
import type { Upstream } from '@lyceum/internal-api';
import type { Clock } from '@lyceum/kernel';
import { setHeaders } from '@lyceum/web';
import type { School } from '../routing/school.ts';

/** What pages behind the edge work with. */
export interface PageEndpointOptions {
  readonly school: (id: string) => School | undefined;
  readonly clock: Clock;
  readonly logger: { info(line: object): void };
}

/** A request for a page of a school. */
export interface PageRequest {
  readonly request: IncomingMessage;
  readonly school: School;
  readonly requestId: string;
  readonly path: string;
}

/** Pages of schools behind the edge that people read and fill in. */
export interface Pages<Answer> {
  /** What log lines call a path; undefined where there is nothing. */
  routeOf(path: string): string | undefined;
  answer(asked: PageRequest): Promise<Answer>;
  write(request: IncomingMessage, response: ServerResponse, answer: Answer): void;
}

const methods = ['GET', 'HEAD', 'POST', 'OPTIONS'];

/** Serves pages: the edge has judged the request, and says whose it is. */
export const pageEndpoint = <Answer>(
  options: PageEndpointOptions,
  pages: Pages<Answer>,
): Pick<Upstream, 'forward'> => ({
  async forward(request, response, defaultHeaders = []) {
    setHeaders(response, defaultHeaders);
    const requestId = String(request.headers['x-request-id'] ?? '');
    const school = options.school(String(request.headers[schoolHeader]));
    const path = request.url?.split('?', 1)[0] ?? '';
    logLine(options, request, response, { route: pages.routeOf(path) ?? '-', school: school?.id, requestId });
    if (!school) return void response.writeHead(404, { 'Content-Length': 0 }).end();
    const { method = '' } = request;
    if (method === 'OPTIONS' || !methods.includes(method)) {
      response.writeHead(method === 'OPTIONS' ? 204 : 405, { Allow: methods.join(', '), 'Content-Length': 0 });
      return void response.end();
    }
    const answered = await pages.answer({ request, school, requestId, path });
    if (!response.destroyed) pages.write(request, response, answered);
  },
});

/** One line for each answer; neither address nor form of a request is in it. */
function logLine(
  { clock, logger }: PageEndpointOptions,
  { method }: IncomingMessage,
  response: ServerResponse,
  { route, school, requestId }: { route: string; school: string | undefined; requestId: string },
): void {
  const begun = clock.now();
  response.once('finish', () =>
    logger.info({
      method,
      route,
      status: response.statusCode,
      duration_ms: clock.now() - begun,
      request_id: requestId,
      ...(school === undefined ? {} : { school }),
    }),
  );
}
