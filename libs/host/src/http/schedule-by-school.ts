import { schoolHeader } from '@lyceum/contracts';
import { SchoolScheduler, answerError } from '@lyceum/web';
import type { Handler } from '@lyceum/internal-api';

/** A handler that works for the schools in turns: the gateway says for which one a request is. */
export function scheduledBySchool(handler: Handler, requestId: () => string): Handler {
  const scheduler = new SchoolScheduler();
  return (request, response) => {
    const named = request.headers[schoolHeader];
    const school = typeof named === 'string' ? named : undefined;
    return new Promise<void>((resolve) => {
      const run = (): void => resolve((async () => handler(request, response))());
      const refuse = (): void => {
        const description = 'Too many requests of this school are under way at once';
        answerError(response, 'temporarily_unavailable', requestId(), { description, headers: { 'retry-after': '1' } });
        resolve();
      };
      scheduler.schedule({ school, response, run, refuse });
    });
  };
}
