import { InvalidToken } from './invalid-token.ts';

/** What of a request may carry a token: Node's `IncomingMessage` fits. */
export interface TokenCarrier {
  readonly headers: { readonly authorization?: string | undefined };
  readonly rawHeaders: readonly string[];
  readonly url?: string | undefined;
}

/**
 * The token came in the query string, where logs and browser histories keep it. The caller answers 400 `invalid_request`.
 * @see RFC 9700 §4.3.2
 */
export class TokenInQuery extends Error {
  override readonly name = 'TokenInQuery';

  constructor() {
    super('Send the access token in the Authorization header, never in the query string');
  }
}

const credentials = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/**
 * The bearer token of a request; undefined when it has no Authorization header, which makes it anonymous.
 * Throws `InvalidToken` for several headers, another scheme and an empty or malformed value: a caller who meant to send
 * credentials is never silently downgraded. Throws `TokenInQuery` for `?access_token=`.
 * @see RFC 6750 §2.1, §2.3
 */
export function bearerToken(request: TokenCarrier): string | undefined {
  if (hasTokenInQuery(request.url)) throw new TokenInQuery();
  const { authorization } = request.headers;
  if (authorization === undefined) return undefined;
  if (count(request.rawHeaders, 'authorization') > 1)
    throw new InvalidToken('The request has several Authorization headers');
  const token = credentials.exec(authorization)?.[1];
  if (token === undefined)
    throw new InvalidToken('The Authorization header must read: Bearer, a space, and the access token');
  return token;
}

function count(rawHeaders: readonly string[], name: string): number {
  let found = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]!.toLowerCase() === name) found += 1;
  return found;
}

/** Where the name stands, or may stand in escapes: what has neither is not read. */
const mayHoldToken = /access_token|%/;

function hasTokenInQuery(url = ''): boolean {
  const query = url.indexOf('?');
  return query >= 0 && mayHoldToken.test(url) && new URLSearchParams(url.slice(query + 1)).has('access_token');
}
