import type { IncomingMessage } from 'node:http';
import { type Scope, clientAddressHeader, wellKnownPaths } from '@lyceum/contracts';
import { InvalidToken, type Principal, TokenInQuery, type Verifier, bearerToken, challenge } from '@lyceum/oauth';
import type { School } from '../school.ts';
import { mcpPath } from './api.ts';
import { Refused } from './refused.ts';

/** Whoever calls, for the time of one request. */
export interface Caller {
  readonly school: School;
  /** Undefined = anonymous. */
  readonly principal: Principal | undefined;
  readonly token: string | undefined;
  /** Host and port that the request named. */
  readonly authority: string;
  readonly address: string;
  readonly requestId: string;
}

/**
 * Reads who calls. No token is anonymous; one that is not good here is refused with 401 whatever is asked for, and never
 * taken for no token.
 * @see RFC 6750 §3.1, RFC 9728 §5.1
 */
export async function callerOf(
  request: IncomingMessage,
  school: School,
  requestId: string,
  { verify }: Verifier,
): Promise<Caller> {
  const seen = {
    school,
    authority: request.headers.host ?? '',
    address: String(request.headers[clientAddressHeader] ?? ''),
    requestId,
  };
  try {
    const token = bearerToken(request);
    const principal = token === undefined ? undefined : await verify(token, { school: school.id, path: mcpPath });
    return { ...seen, token, principal };
  } catch (error) {
    if (error instanceof TokenInQuery) throw new Refused('invalid_request', error.message);
    if (!(error instanceof InvalidToken)) throw error;
    const { description } = error;
    throw new Refused('invalid_token', description, {
      'WWW-Authenticate': challengeOf(school, { error: 'invalid_token', description }),
    });
  }
}

/** The challenge of the MCP server: it names the server's own metadata. */
export const challengeOf = (
  { baseUrl }: School,
  refusal: { error?: 'invalid_token' | 'insufficient_scope'; description?: string; scopes?: readonly Scope[] },
): string => challenge({ issuer: baseUrl, metadata: wellKnownPaths.mcpProtectedResource, ...refusal });

/**
 * Refuses a token that lacks a scope of what it is used for, and names all that are needed.
 * @see RFC 6750 §3.1
 */
export function demand({ school, principal }: Caller, scopes: readonly Scope[], what: string): void {
  if (!principal || scopes.every((scope) => principal.scopes.has(scope))) return;
  const description = `${what} needs the scope${scopes.length > 1 ? 's' : ''} ${scopes.join(' ')}`;
  throw new Refused('insufficient_scope', description, {
    'WWW-Authenticate': challengeOf(school, { error: 'insufficient_scope', description, scopes }),
  });
}
