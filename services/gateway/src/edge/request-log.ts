import type { ErrorCode } from '@lyceum/contracts';
import { safePath, spanFields } from '@lyceum/web';
import type { School } from '../routing/school.ts';
import type { Exchange, EdgeContext } from './edge-context.ts';

/**
 * One line per answer of the gateway's own; services log theirs. The route of what is refused is `-`: anything may stand in
 * its path, of which the line shows the words.
 */
export function logWhenAnswered(
  { clock, logger }: EdgeContext,
  { request, response, requestId, trace }: Exchange,
  school: School | undefined,
  route: string,
  more: { readonly code?: ErrorCode; readonly policy?: string; readonly limit?: 'refused' } = {},
): void {
  const begun = clock.now();
  const path = route === '-' ? safePath(request.url ?? '/') : undefined;
  response.once('finish', () =>
    logger.info({
      method: request.method,
      route,
      status: response.statusCode,
      duration_ms: clock.now() - begun,
      request_id: requestId,
      ...(trace.span ? spanFields(trace.span) : { trace_id: trace.id }),
      ...(school ? { school: school.id } : {}),
      ...(path === undefined ? {} : { path }),
      ...more,
    }),
  );
}
