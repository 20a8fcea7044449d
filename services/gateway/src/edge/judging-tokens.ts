import type { Upstream } from '@lyceum/runtime';
import { refuse } from './answer.ts';

/**
 * Serves what the gateway itself judges tokens for. Until it knows keys and revocations (the authorization server is down
 * while the gateway starts) a request with a token is answered 503: it must not pass for an anonymous one, and nobody can
 * say that the token is bad.
 */
export const judgingTokens = (
  { forward }: Pick<Upstream, 'forward'>,
  isTrustKnown: () => boolean,
): Pick<Upstream, 'forward'> => ({
  forward(request, response) {
    if (request.headers.authorization === undefined || isTrustKnown()) return forward(request, response);
    const description = 'Tokens cannot be judged yet; requests without one are answered';
    const headers = { 'Retry-After': '5' };
    refuse(response, 'temporarily_unavailable', String(response.getHeader('x-request-id')), { description, headers });
  },
});
