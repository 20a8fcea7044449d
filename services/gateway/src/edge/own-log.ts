import type { School } from '../school.ts';
import type { Exchange, House } from './house.ts';

/** One line per answer of the gateway's own; services log theirs. Paths that lead nowhere are `-`: anything may stand in them. */
export function logWhenAnswered(
  { clock, logger }: House,
  { request, response, requestId, trace }: Exchange,
  school: School | undefined,
  route: string,
  more: { readonly policy?: string; readonly limit?: 'refused' } = {},
): void {
  const begun = clock.now();
  response.once('finish', () =>
    logger.info({
      method: request.method,
      route,
      status: response.statusCode,
      duration_ms: clock.now() - begun,
      request_id: requestId,
      trace_id: trace.id,
      ...(school ? { school: school.id } : {}),
      ...more,
    }),
  );
}
