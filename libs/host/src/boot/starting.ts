import { setTimeout as delay } from 'node:timers/promises';
import { DocumentsUnavailable } from '@lyceum/documents';
import { EphemeralUnavailable } from '@lyceum/ephemeral';
import { Damaged, Gap, OutcomeUnknown, Unavailable } from '@lyceum/eventlog';
import type { Logger } from 'pino';
import type { StartRefused } from '@lyceum/service';

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

interface Settling {
  /** Whether the log is on servers, where the newest commits may be hidden for a moment after an election. */
  readonly waits: boolean;
  /** What a start over this log is refused with. */
  refused(gap: Gap): StartRefused;
  readonly logger: Logger;
}

/** What a start that met a gap goes on with: an engine that does not have everything yet, or the refusal. */
export const goneOnWith = (gap: Gap, refusal: StartRefused, waits: boolean): Unavailable | StartRefused =>
  waits && !(gap instanceof Damaged) ? new Unavailable(refusal.message, { cause: gap }) : refusal;

/**
 * Waits until everything that the logs have is known. A commit that is missing may come back on servers: the process stays
 * unready, says what it waits for, and goes on when it is there. A damaged one, or one missing from a file, does not.
 */
export async function untilSettled(settle: () => Promise<void>, { waits, refused, logger }: Settling): Promise<void> {
  for (let wait = 250; ; wait = Math.min(wait * 2, 5_000)) {
    try {
      return await settle();
    } catch (error) {
      if (!(error instanceof Gap)) throw error;
      const refusal = refused(error);
      if (goneOnWith(error, refusal, waits) === refusal) throw refusal;
      const { lane, at: position } = error;
      const reason = `${refusal.message}; servers that have just elected a primary may give it later`;
      logger.error({ lane, position, phase: 'starting' }, `${reason}: the next look is in ${wait} ms`);
    }
    await delay(wait);
  }
}
