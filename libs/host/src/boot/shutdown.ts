import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Running } from './boot.ts';

/** How long requests in flight may take after the drain, milliseconds: with the default drain all ends within 10 s. */
const patience = 6_500;
/** How long modules and engines may take to close after that, milliseconds: at least, and as long as all ends within 10 s. */
const closing = 900;
const altogether = 9_900;

/**
 * Stops a running process and resolves to its exit code. Readiness goes off at once while everything is still served
 * with `Connection: close`, so that routers move on; after `drain` milliseconds nothing new is accepted, requests in
 * flight finish, modules and engines close. 1 when something had to be cut off.
 */
export async function shutDown(running: Running, drain: number, logger: Logger): Promise<number> {
  const began = performance.now();
  running.gate.drain();
  for (const listener of running.listeners) listener.drain();
  logger.info({ phase: 'draining' }, 'stopping');
  await sleep(drain);
  const abandoned = (await Promise.all(running.listeners.map((listener) => listener.close(patience)))).reduce(
    (sum, count) => sum + count,
    0,
  );
  if (abandoned > 0) logger.error({ abandoned }, 'requests were cut off');
  const left = Math.max(closing, altogether - (performance.now() - began));
  const overrun = sleep(left, 'overrun' as const, { ref: false });
  const outcome = await Promise.race([running.close(), overrun]);
  if (outcome === 'overrun') logger.error({}, 'closing took too long; what was acknowledged is on disk');
  else logger.info({}, 'stopped');
  return abandoned > 0 || outcome === 'overrun' ? 1 : 0;
}
