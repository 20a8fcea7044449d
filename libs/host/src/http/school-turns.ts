import { schoolHeader } from '@lyceum/contracts';
import { Turns, answerError } from '@lyceum/web';
import type { Handler } from '@lyceum/internal-api';

/** A handler that works for the schools in turns: the gateway says for which one a request is. */
export function inTurns(handler: Handler, requestId: () => string): Handler {
  const turns = new Turns();
  return (request, response) => {
    const named = request.headers[schoolHeader];
    const school = typeof named === 'string' ? named : undefined;
    return new Promise<void>((resolve) => {
      const go = (): void => resolve((async () => handler(request, response))());
      const refuse = (): void => {
        const description = 'Too many requests of this school are under way at once';
        answerError(response, 'temporarily_unavailable', requestId(), { description, headers: { 'retry-after': '1' } });
        resolve();
      };
      turns.take({ school, response, go, refuse });
    });
  };
}
