import { setTimeout as delay } from 'node:timers/promises';
import { DocumentsUnavailable } from '@lyceum/documents';
import { EphemeralUnavailable } from '@lyceum/ephemeral';
import { OutcomeUnknown, Unavailable } from '@lyceum/eventlog';
import type { Logger } from 'pino';

const away = [Unavailable, OutcomeUnknown, DocumentsUnavailable, EphemeralUnavailable];

/**
 * Tries a step of the start until the engines answer: a server that is down while a process starts is a reason to wait,
 * not to die. Any other failure is thrown, and so is the first one when `waits` is false.
 */
export async function untilEnginesAnswer<T>(step: () => Promise<T>, waits: boolean, logger: Logger): Promise<T> {
  for (let wait = 250; ; wait = Math.min(wait * 2, 5_000)) {
    try {
      return await step();
    } catch (err) {
      if (!waits || !away.some((kind) => err instanceof kind)) throw err;
      logger.warn({ err, phase: 'starting' }, `an engine does not answer; the next try is in ${wait} ms`);
    }
    await delay(wait);
  }
}
