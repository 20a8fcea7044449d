import type { IncomingMessage, ServerResponse } from 'node:http';
import { readableByAnyOrigin, sendableFromAnyOrigin } from '@lyceum/web';
import type { Document } from './document.ts';
import type { School } from '../routing/school.ts';
import { refuse, defaultHeaders } from './error-response.ts';
import { inCoding, tagsOf } from './encoded-document.ts';
import { codingFor } from './content-coding.ts';

const methods = ['GET', 'HEAD', 'OPTIONS'];
const readable = methods.join(', ');

const preflight = {
  Allow: readable,
  ...readableByAnyOrigin,
  ...sendableFromAnyOrigin(methods, [
    'Accept',
    'Authorization',
    'Content-Type',
    'If-None-Match',
    'MCP-Protocol-Version',
  ]),
} as const;

/** Answers a request for a prepared document: 200 in the coding that the client likes, 304 by its ETag, a preflight, or 405. */
export async function sendDocument(
  request: IncomingMessage,
  response: ServerResponse,
  document: Document,
  requestId: string,
  school: School,
): Promise<void> {
  const defaults = defaultHeaders(requestId, school);
  if (request.method === 'OPTIONS') {
    response.writeHead(204, { ...defaults, ...preflight }).end();
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(response, 'method_not_allowed', requestId, { school, headers: { Allow: readable } });
  const known = knownTag(request.headers['if-none-match'], document);
  if (known !== undefined) {
    response.writeHead(304, { ...defaults, ...document.cacheHeaders, ETag: known }).end();
    return;
  }
  const coding = codingFor(request.headers['accept-encoding']);
  const { body, cacheHeaders, bodyHeaders } = coding ? await inCoding(document, coding) : document;
  response.writeHead(200, { ...defaults, ...cacheHeaders, ...bodyHeaders }).end(body);
}

const opaqueTags = /"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * The entity tag of the document that If-None-Match names, by weak comparison; undefined when the client does not have it.
 * @see RFC 9110 §13.1.2
 */
function knownTag(header: string | undefined, document: Document): string | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return document.etag;
  const named = new Set<string>(header.match(opaqueTags));
  return tagsOf(document).find((tag) => named.has(tag));
}
