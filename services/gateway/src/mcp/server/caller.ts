import type { IncomingMessage } from 'node:http';
import { type Scope, clientAddressHeader, schoolOriginHeader, scopeNames } from '@lyceum/contracts';
import {
  InvalidToken,
  type Principal,
  TokenInQuery,
  TooManyForgeries,
  type Verifier,
  bearerToken,
  challenge,
} from '@lyceum/oauth';
import { addressPartition } from '@lyceum/web';
import type { School } from '../../routing/school.ts';
import { metadataOf, signInAlias } from '../../routing/mcp-paths.ts';
import { mcpScopes } from '../../discovery/metadata/mcp-scopes.ts';
import { McpRefusal } from './refusal.ts';

/** The caller of one request. */
export interface Caller {
  readonly school: School;
  /** Undefined = anonymous. */
  readonly principal: Principal | undefined;
  readonly token: string | undefined;
  /** Host and port that the request named. */
  readonly authority: string;
  readonly address: string;
  readonly requestId: string;
  /** The custom domain at which the school was asked, as an origin; undefined at its base URL. */
  readonly origin?: string | undefined;
  /** Where the token was shown. */
  readonly path: string;
}

/**
 * Reads who calls. No token is anonymous, but at the alias that makes clients sign in; one that is not good here is refused with 401 whatever is asked for, and never
 * taken for no token.
 * @see RFC 6750 §3.1, RFC 9728 §5.1
 */
export async function callerOf(
  request: IncomingMessage,
  school: School,
  requestId: string,
  path: string,
  { verify }: Verifier,
): Promise<Caller> {
  const bodyIfFound: Caller = {
    school,
    principal: undefined,
    token: undefined,
    authority: request.headers.host ?? '',
    address: String(request.headers[clientAddressHeader] ?? ''),
    requestId,
    origin: originOf(request),
    path,
  };
  try {
    const token = bearerToken(request);
    if (token === undefined && path === signInAlias) throw notSignedIn(bodyIfFound);
    if (token === undefined) return bodyIfFound;
    const principal = await verify(token, { school: school.id, path, from: addressPartition(bodyIfFound.address) });
    return { ...bodyIfFound, token, principal };
  } catch (error) {
    if (error instanceof TokenInQuery) throw new McpRefusal('invalid_request', error.message);
    if (error instanceof TooManyForgeries)
      throw new McpRefusal('rate_limited', error.message, { 'Retry-After': String(error.wait) });
    if (!(error instanceof InvalidToken)) throw error;
    const { description } = error;
    throw new McpRefusal('invalid_token', description, {
      'WWW-Authenticate': challengeOf(bodyIfFound, { error: 'invalid_token', description }),
    });
  }
}

/** The custom domain at which a request came in. The edge has set it. */
export const originOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined =>
  headers[schoolOriginHeader]?.toString();

/** A challenge without an error: nothing was wrong with a token. @see RFC 6750 §3.1 */
function notSignedIn(bodyIfFound: ListPosition): McpRefusal {
  const challenge = challengeOf(bodyIfFound, { scopes: mcpScopes });
  return new McpRefusal('invalid_token', 'This address is for those who sign in', { 'WWW-Authenticate': challenge });
}

type ListPosition = Pick<Caller, 'school' | 'path' | 'origin'>;

/** The challenge of the MCP server: it names the server's own metadata, at the address that was asked. @see RFC 9728 §3.3 */
export const challengeOf = (
  { school: { baseUrl }, path, origin }: ListPosition,
  refusal: { error?: 'invalid_token' | 'insufficient_scope'; description?: string; scopes?: readonly Scope[] },
): string => challenge({ issuer: baseUrl, origin, metadata: metadataOf(path), ...refusal });

/**
 * Refuses a token that lacks a scope of what it is used for. The challenge names all that are needed and all that the token
 * holds: clients ask for exactly what it names, and would lose what they had.
 * @see RFC 6750 §3.1, MCP 2025-11-25 basic/authorization, "Scope Challenge Handling"
 */
export function demand(caller: Caller, scopes: readonly Scope[], what: string): void {
  const { principal } = caller;
  if (!principal || scopes.every((scope) => principal.scopes.has(scope))) return;
  const description = `${what} needs the scope${scopes.length > 1 ? 's' : ''} ${scopes.join(' ')}`;
  const complete = scopeNames.filter((scope) => scopes.includes(scope) || principal.scopes.has(scope));
  throw new McpRefusal('insufficient_scope', description, {
    'WWW-Authenticate': challengeOf(caller, { error: 'insufficient_scope', description, scopes: complete }),
  });
}
