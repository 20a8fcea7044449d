import type { IncomingMessage } from 'node:http';
import { type ErrorCode, domainOrigin } from '@lyceum/contracts';
import type { Closure } from '@lyceum/oauth';
import type { Absent } from '../discovery/pages/course-page-cache.ts';
import type { Moved } from '../discovery/site/site-cache.ts';
import type { Document } from '../http/document.ts';
import { type SchoolDocuments, documentRoute, isOfVisitors } from '../discovery/school-documents.ts';
import type { KnownHosts } from '../routing/host-table.ts';
import { canonicalUrl, isOfIssuer } from './issuer-redirect.ts';
import { wantsPage } from './request/prefers-page.ts';
import { faultOf } from './request/request-headers.ts';
import type { ServiceOf } from '../routing/service-of-path.ts';
import type { School } from '../routing/school.ts';
import { type Target, authorityOf, longestTarget, parseTarget } from './request/request-target.ts';

/** A request that goes no further. `close`: its framing is not to be trusted, so the connection ends with it. */
export interface Refusal {
  readonly kind: 'refuse';
  readonly code: ErrorCode;
  readonly description: string;
  /** The status where it is not that of the code. */
  readonly status?: number;
  readonly close: boolean;
  readonly school?: School;
}

/** What is to be done with a request. */
export type Verdict =
  | Refusal
  | {
      readonly kind: 'document';
      /** The document, where it is now, or why there is none. */
      readonly document: Document | Promise<Document | Absent | Moved>;
      /** What it is counted and logged as: paths with a name in them are one, however many are asked for. */
      readonly route: string;
      readonly school: School;
    }
  | { readonly kind: 'elsewhere'; readonly location: string; readonly school: School }
  | {
      readonly kind: 'forward';
      readonly service: string;
      readonly target: Target;
      readonly school: School;
      /** Where the school is asked, if that is a custom domain. */
      readonly origin?: string;
      /** A page in the place of the answer, for a person's browser: made of what the service says. */
      readonly page?: () => Promise<Document | Absent>;
    };

const malformed = (description: string): Refusal => ({
  kind: 'refuse',
  code: 'invalid_request',
  description,
  close: true,
});

const missing = (description: string, school?: School): Refusal => ({
  kind: 'refuse',
  code: 'not_found',
  description,
  close: false,
  ...(school ? { school } : {}),
});

const awaited: Refusal = {
  kind: 'refuse',
  code: 'temporarily_unavailable',
  description: 'The schools are not known here yet: the school service is awaited',
  close: false,
};

const notOpen = (closure: Closure, school: School): Refusal => ({
  kind: 'refuse',
  code: closure === 'closed' ? 'school_closed' : 'school_suspended',
  description: closure === 'closed' ? 'The school is closed for ever' : 'The school is suspended by its operator',
  close: false,
  school,
});

/** A form is never sent on: it was not this school's page that sent it here. @see RFC 9700 §4.12 */
const atIssuer = ({ method }: IncomingMessage, target: Target, school: School): Verdict =>
  method === 'GET' || method === 'HEAD'
    ? { kind: 'elsewhere', location: canonicalUrl(school, target), school }
    : missing(`This is at ${school.baseUrl}`, school);

/** What a request is judged by. */
export interface Judging {
  readonly hosts: KnownHosts;
  readonly documents: Pick<SchoolDocuments, 'at' | 'pageAt' | 'certificateAt' | 'invoiceAt' | 'calendarAt'>;
  readonly serviceOf: ServiceOf;
}

/** Judges a request by its head alone, in this order: hygiene, target, host, issuer, documents, route. Changes nothing. */
export function judge(request: IncomingMessage, { hosts, documents, serviceOf }: Judging): Verdict {
  const fault = faultOf(request);
  if (fault) return { kind: 'refuse', ...fault, close: true };
  const { url = '' } = request;
  if (url.length > longestTarget)
    return { ...malformed(`The URL is longer than ${longestTarget} characters`), status: 414 };
  const target = parseTarget(url);
  if (typeof target === 'string') return malformed(target);
  const authority = authorityOf(target, request.headers.host);
  if (typeof authority === 'string') return malformed(authority);
  const school = hosts.at(authority);
  if (!school) return hosts.isKnown === false ? awaited : missing('There is no school at this host');
  const origin = hosts.isCustom(authority) ? domainOrigin(school.baseUrl, authority.host) : undefined;
  if (origin !== undefined && isOfIssuer(target.path)) return atIssuer(request, target, school);
  if (school.closure && isOfVisitors(target.path)) return notOpen(school.closure, school);
  const { accept, 'accept-language': languages } = request.headers;
  const document =
    documents.at(school, target.path, { accept, languages }, origin) ??
    documents.pageAt(school, target.path, languages);
  if (document) return { kind: 'document', document, route: documentRoute(target.path), school };
  const service = serviceOf(target.path);
  if (service === undefined) return missing('There is nothing at this path', school);
  const page = wantsPage(request)
    ? (documents.certificateAt(school, target.path, languages) ??
      documents.invoiceAt(school, target.path, languages) ??
      documents.calendarAt(school, target.path, languages))
    : undefined;
  return { kind: 'forward', service, target, school, ...(origin !== undefined && { origin }), ...(page && { page }) };
}
