import { anyOrigin, sendableFromAnyOrigin } from '@lyceum/web';
import type { IncomingMessage } from 'node:http';
import type { School } from '../../routing/school.ts';
import { McpRefusal } from './refusal.ts';

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** What browsers may send and read, and that POST is the only method. */
export const corsHeaders: Readonly<Record<string, string>> = {
  ...anyOrigin(['WWW-Authenticate', 'Mcp-Session-Id', 'Retry-After', 'X-Request-Id', 'RateLimit', 'RateLimit-Policy']),
  Vary: 'Origin',
};

const sendable = [
  'Authorization',
  'Content-Type',
  'Accept',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
  'Last-Event-ID',
];

/** The answer to a preflight: the usual headers, and whatever `Mcp-Param-*` the page asks for. */
export function preflightHeaders(request: IncomingMessage): Readonly<Record<string, string>> {
  const asked = String(request.headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => /^mcp-param-[\w-]{1,64}$/i.test(name))
    .slice(0, 32);
  return {
    ...corsHeaders,
    Allow: 'POST, OPTIONS',
    ...sendableFromAnyOrigin(['POST', 'OPTIONS'], [...sendable, ...asked]),
  };
}

/**
 * Refuses pages that must not speak to the server: those of a sandbox or a plain-text site, and at a loopback address
 * all but those of the same machine, or a page elsewhere could reach it by a name that resolves to 127.0.0.1. Clients
 * that are no browser send no Origin. The host has been judged before: only a school's own hosts come here.
 * @see MCP 2025-11-25 basic/transports, "Security Warning"
 */
export function checkOrigin({ headers: { origin } }: IncomingMessage, school: School): void {
  if (origin === undefined) return;
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  const isLocal = url !== undefined && loopback.test(url.hostname);
  const isAllowed =
    url !== undefined &&
    url.origin === origin.toLowerCase() &&
    (isLocal || (!loopback.test(new URL(school.baseUrl).hostname) && url.protocol === 'https:'));
  if (!isAllowed && origin !== school.baseUrl)
    throw new McpRefusal('access_denied', 'Pages of this origin may not call');
}

/** POST is the only method: there are no sessions to delete and no stream to open by GET. */
export function checkMethod({ method }: IncomingMessage): void {
  if (method === 'POST') return;
  throw new McpRefusal('method_not_allowed', 'The MCP server is called with POST', { Allow: 'POST, OPTIONS' });
}
