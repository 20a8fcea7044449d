import { refuse } from '../http/error-response.ts';
import { BodyArrival, bringsBody } from './request/body-arrival.ts';
import type { InFlight } from '../limits/in-flight-limits.ts';
import type { Exchange, EdgeContext } from './edge-context.ts';
import { logWhenAnswered } from './request-log.ts';
import type { School } from '../routing/school.ts';

/** Calls back once there is enough of a body for a service to begin with; never when it has been refused. */
type Awaiting = (go: () => void) => void;

const atOnce: Awaiting = (go) => go();

/**
 * Waits for a small body as a whole and for the beginning of a large one, so that slow clients hold nothing but their own
 * connection. A body that is too slow is answered 408; `tooLarge` answers a body beyond `limit` bytes that was not announced.
 * @see RFC 9110 §15.5.9
 */
export function awaitBody(
  context: EdgeContext,
  exchange: Exchange,
  { school, address, limit }: { readonly school: School; readonly address: string; readonly limit: number },
  tooLarge: () => void,
): Awaiting {
  const { request, response } = exchange;
  if (!bringsBody(request)) return atOnce;
  let isReady = false;
  let waiting: (() => void) | undefined;
  const isAnswered = (): boolean => response.destroyed || response.writableEnded;
  let counted: InFlight | undefined = undefined;
  const give = (answer: () => void) => (): void => {
    counted?.leave();
    arrival.stop();
    if (isAnswered()) return;
    if (response.headersSent) response.destroy();
    else answer();
  };
  const late = give(() => tooSlow(context, exchange, school));
  const arrival = new BodyArrival(
    request,
    limit,
    {
      late,
      exceeded: give(tooLarge),
      ready() {
        isReady = true;
        if (!isAnswered()) waiting?.();
      },
      over: () => counted?.leave(),
    },
    context.slowness,
  );
  counted = context.inFlight.body(late, address, school.id);
  return (go) => {
    if (isReady) return isAnswered() ? undefined : go();
    waiting = go;
  };
}

function tooSlow(context: EdgeContext, exchange: Exchange, school: School): void {
  logWhenAnswered(context, exchange, school, '-', { code: 'invalid_request' });
  const description = 'The body took too long to arrive';
  const headers = { Connection: 'close', 'Retry-After': '1' };
  refuse(exchange.response, 'invalid_request', exchange.requestId, { status: 408, description, school, headers });
}
