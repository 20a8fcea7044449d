import type { IncomingMessage } from 'node:http';
import type { Upstream } from '@lyceum/internal-api';
import { refuse } from '../http/error-response.ts';

type Forwarding = Pick<Upstream, 'forward'>;

/**
 * Wraps an endpoint at which the gateway itself verifies tokens. Until keys and revocations are known (the authorization
 * server is away while the gateway starts) a request with a token is answered 503: it must not pass for an anonymous one,
 * and the token cannot be called bad.
 */
export const trustGate = ({ forward }: Forwarding, isTrustKnown: () => boolean): Forwarding => ({
  forward(request, response, defaultHeaders) {
    if (request.headers.authorization === undefined || isTrustKnown())
      return forward(request, response, defaultHeaders);
    const description = 'Tokens cannot be judged yet; requests without one are answered';
    const headers = { 'Retry-After': '5' };
    refuse(response, 'temporarily_unavailable', requestIdOf(request), { description, headers });
  },
});

const requestIdOf = ({ headers }: IncomingMessage): string => String(headers['x-request-id']);
