import type { ServerResponse } from 'node:http';
import { type ErrorCode, errors } from '@lyceum/contracts';
import type { Absent } from '../discovery/pages/course-page-cache.ts';
import { type Missing, missingPage } from '../discovery/pages/missing-page.ts';
import { refuse, defaultHeaders } from '../http/error-response.ts';
import { sendDocument } from '../http/send-document.ts';
import type { School } from '../routing/school.ts';
import type { Exchange, EdgeContext } from './edge-context.ts';
import { sendElsewhere } from './issuer-redirect.ts';
import { methods } from './request/request-headers.ts';
import { wantsPage } from './request/prefers-page.ts';
import type { Refusal, Verdict } from './verdict.ts';

/** Refuses a request: by a page where a person's browser reads. */
export function refuseRequest(
  { request, response, requestId }: Exchange,
  { code, description, status, close, school }: Refusal,
): void {
  const what = missingFor(code, school);
  const varies = what !== undefined;
  const headers = {
    ...(close ? { Connection: 'close' } : {}),
    ...(retryAfter[code] ? { 'Retry-After': retryAfter[code] } : {}),
    ...(code === 'method_not_allowed' ? { Allow: methods.join(', ') } : {}),
    ...(varies ? { Vary: 'Accept, Accept-Language' } : {}),
  };
  if (what && wantsPage(request)) {
    const languages = request.headers['accept-language'];
    showMissing(response, { what, school, languages, requestId }, { status: status ?? errors[code].status, headers });
  } else refuse(response, code, requestId, { description, status, school, headers });
}

const retryAfter: Readonly<Partial<Record<ErrorCode, string>>> = {
  temporarily_unavailable: '5',
  school_suspended: '3600',
};

/** The page that a person gets for an error; undefined for errors that nobody gets a page for. */
function missingFor(code: ErrorCode, school: School | undefined): Missing['what'] | undefined {
  if (code === 'not_found') return school ? 'page' : 'school';
  if (code === 'temporarily_unavailable') return 'unavailable';
  if (code === 'school_suspended') return 'suspended';
  return code === 'school_closed' ? 'closed' : undefined;
}

/** Sends a person's browser a page in the place of an error of the table. */
function showMissing(
  response: ServerResponse,
  missing: Missing & { readonly school: School | undefined },
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
): void {
  const page = missingPage(missing);
  const body = Buffer.from(page.html);
  response.writeHead(status, {
    ...defaultHeaders(missing.requestId, missing.school),
    ...page.headers,
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    ...headers,
  });
  response.end(body);
}

/** Sends a document, when it is made, or says why there is none. */
export function present(
  { logger }: Pick<EdgeContext, 'logger'>,
  exchange: Exchange,
  { document, school }: Pick<Extract<Verdict, { kind: 'document' }>, 'document' | 'school'>,
): void {
  const { request, response, requestId } = exchange;
  const sending = async () => {
    const made = await document;
    if (typeof made === 'string') refuseRequest(exchange, absent(made, school));
    else if ('location' in made) sendElsewhere(response, made.location, requestId, school);
    else await sendDocument(request, response, made, requestId, school);
  };
  sending().catch((err: unknown) => {
    logger.error({ request_id: requestId, err }, 'a document could not be made');
    if (!response.headersSent) refuse(response, 'server_error', requestId, { school });
  });
}

const absent = (why: Absent, school: School): Refusal => ({
  kind: 'refuse',
  close: false,
  school,
  ...(why === 'missing'
    ? { code: 'not_found', description: 'There is nothing at this path' }
    : { code: 'temporarily_unavailable', description: 'The catalogue cannot be read at the moment' }),
});
