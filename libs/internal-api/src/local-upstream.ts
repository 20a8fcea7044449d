import { alignHeaders, answerError, setHeaders } from '@lyceum/web';
import type { Handler, Upstream } from './upstream.ts';

const noDocument = (name: string) => ({ openapi: '3.0.3', info: { title: name, version: '0' }, paths: {} });

/** A started service as far as its siblings reach it. */
export interface LocalService {
  readonly app: Handler;
  readonly ask?: NonNullable<Upstream['ask']>;
  readonly openapi?: Record<string, unknown>;
}

/**
 * A sibling in the same process as an `Upstream`: a function call, no second parse, and for those who ask no text either. `started` gives it once it has
 * started; until then, and when it throws before the response begins, the answer is 503.
 */
export function localUpstream(
  name: string,
  started: () => LocalService | undefined,
  unexpected: { requestId: () => string; report: (error: unknown) => void },
): Upstream {
  const answer: Handler = async (request, response) => {
    try {
      const sibling = started();
      if (!sibling) throw new Error(`${name} has not started`);
      await sibling.app(request, response);
    } catch (error) {
      unexpected.report(error);
      if (response.headersSent) response.destroy();
      else
        answerError(response, 'temporarily_unavailable', unexpected.requestId(), { headers: { 'retry-after': '1' } });
    }
  };
  return {
    name,
    forward(request, response, defaultHeaders = []) {
      alignHeaders(request);
      setHeaders(response, defaultHeaders);
      return answer(request, response);
    },
    ask: async (question) => started()?.ask?.(question),
    describe: () => Promise.resolve(structuredClone(started()?.openapi ?? noDocument(name))),
  };
}
