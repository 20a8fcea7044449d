import type { Work } from '@lyceum/service';
import { setTimeout as delay } from 'node:timers/promises';

/** Which schools are looked at, and how often. */
export interface ClientExpiry {
  /** Ends what is over in a school; returns how many registrations that were. */
  readonly sweep: (school: string) => Promise<number>;
  readonly schools: () => Iterable<string>;
  /** Milliseconds between two rounds. */
  readonly every?: number;
  /** Reports a failure; it is tried again in the next round. */
  readonly onError: (error: unknown, school: string) => void;
}

/** Looks at every school four times an hour, and again at once where there was something to end. */
export function keepExpiring({ sweep, schools, every = 900_000, onError }: ClientExpiry): Work {
  const closing = new AbortController();
  const { signal } = closing;
  const sweepAll = async (school: string) => {
    // A round is short, so that no school waits for another's heap.
    for (let round = 0; round < 10 && !signal.aborted; round += 1) if ((await sweep(school)) === 0) return;
  };
  const sweeping = (async () => {
    while (!signal.aborted) {
      for (const school of schools()) await sweepAll(school).catch((error: unknown) => onError(error, school));
      await delay(every, undefined, { signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    async close() {
      closing.abort();
      await sweeping;
    },
  };
}
