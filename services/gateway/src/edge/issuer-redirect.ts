import type { ServerResponse } from 'node:http';
import { wellKnownPaths } from '@lyceum/contracts';
import { readableByAnyOrigin } from '@lyceum/web';
import type { School } from '../routing/school.ts';
import { defaultHeaders } from '../http/error-response.ts';
import type { Target } from './request/request-target.ts';

const { authorizationServer, openidConfiguration } = wellKnownPaths;
const identityPaths: ReadonlySet<string> = new Set([authorizationServer, openidConfiguration]);

/**
 * Whether a path speaks for the issuer or works with its cookies and redirect URIs: its metadata, sign-in, the page
 * that signs in to try calls, and the checkout, which knows who is signed in. At a custom domain it would speak for another address than its own.
 * @see RFC 8414 §3.3
 */
export const isOfIssuer = (path: string): boolean =>
  identityPaths.has(path) || /^\/(?:oauth|docs|checkout)(?:\/|$)/.test(path);

/** The same target at the school's own address. */
export const canonicalUrl = ({ baseUrl }: School, { url }: Pick<Target, 'url'>): string => baseUrl + url;

/** Sends a reader to the school's own address. @see RFC 9110 §15.4.9 */
export function sendElsewhere(response: ServerResponse, location: string, requestId: string, school: School): void {
  response.writeHead(308, {
    ...defaultHeaders(requestId, school),
    Location: location,
    'Content-Length': 0,
    'Cache-Control': 'public, max-age=300',
    ...readableByAnyOrigin,
  });
  response.end();
}
