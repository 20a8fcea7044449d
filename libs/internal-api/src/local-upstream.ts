import { alignHeaders, answerError, setHeaders } from '@lyceum/web';
import type { Handler, Upstream, UpstreamClient } from './upstream.ts';

const noDocument = (name: string) => ({ openapi: '3.0.3', info: { title: name, version: '0' }, paths: {} });

/** A started service as other services of its process reach it. */
export interface LocalService extends Partial<UpstreamClient> {
  readonly app: Handler;
  readonly openapi?: Record<string, unknown>;
}

/**
 * A service of the same process as an `Upstream`: a function call, without a second parse, and without text for `ask`. `started`
 * gives the service once it has started; until then, and when it throws before the response begins, the response is 503.
 */
export function localUpstream(
  name: string,
  started: () => LocalService | undefined,
  unexpected: { requestId: () => string; report: (error: unknown) => void },
): Upstream {
  const service = (): LocalService => {
    const known = started();
    if (!known) throw new Error(`${name} has not started`);
    return known;
  };
  return {
    name,
    async forward(request, response, defaultHeaders = []) {
      alignHeaders(request);
      setHeaders(response, defaultHeaders);
      try {
        await service().app(request, response);
      } catch (error) {
        unexpected.report(error);
        if (response.headersSent) response.destroy();
        else
          answerError(response, 'temporarily_unavailable', unexpected.requestId(), { headers: { 'retry-after': '1' } });
      }
    },
    async ask(request) {
      try {
        const { ask } = service();
        if (!ask) throw new Error(`${name} has no operations`);
        return await ask(request);
      } catch (error) {
        unexpected.report(error);
        throw error;
      }
    },
    describe: () => Promise.resolve(structuredClone(started()?.openapi ?? noDocument(name))),
  };
}
