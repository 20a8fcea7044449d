import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from '../http/error-response.ts';
import type { Way } from './edge-context.ts';

type Judged = Pick<Way, 'forward' | 'answerWith'>;

/**
 * Serves what the gateway itself judges tokens for. Until it knows keys and revocations (the authorization server is down
 * while the gateway starts) a request with a token is answered 503: it must not pass for an anonymous one, and nobody can
 * say that the token is bad.
 */
export function judgingTokens({ forward, answerWith }: Judged, isTrustKnown: () => boolean): Judged {
  const isJudged = ({ headers }: IncomingMessage): boolean => headers.authorization === undefined || isTrustKnown();
  return {
    forward: (request, response) => (isJudged(request) ? forward(request, response) : comeBack(request, response)),
    ...(answerWith && {
      answerWith: (request, response, standing) =>
        isJudged(request) ? answerWith(request, response, standing) : comeBack(request, response),
    }),
  };
}

function comeBack(request: IncomingMessage, response: ServerResponse): void {
  const description = 'Tokens cannot be judged yet; requests without one are answered';
  const headers = { 'Retry-After': '5' };
  refuse(response, 'temporarily_unavailable', String(request.headers['x-request-id']), { description, headers });
}
