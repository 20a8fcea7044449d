import type { Work } from '@lyceum/runtime';
import { setTimeout as delay } from 'node:timers/promises';
import type { SigningKeys } from './signing-keys.ts';

/** Whose keys are looked after, and how often. */
export interface KeySchedule {
  readonly keys: Pick<SigningKeys, 'advance'>;
  readonly schools: () => Iterable<string>;
  /** Milliseconds between two looks. */
  readonly every?: number;
  /** Hears of what failed; it is tried again at the next look. */
  readonly onError: (error: unknown, school: string) => void;
}

/**
 * Looks at the keys of every school once an hour and takes the steps that are due. Several processes may do it side by
 * side: the ring decides each step once.
 */
export function keepRotating({ keys, schools, every = 3_600_000, onError }: KeySchedule): Work {
  const closing = new AbortController();
  const rotating = (async () => {
    while (!closing.signal.aborted) {
      for (const school of schools()) {
        if (closing.signal.aborted) return;
        await keys.advance(school).catch((error: unknown) => onError(error, school));
      }
      await delay(every, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    async close() {
      closing.abort();
      await rotating;
    },
  };
}
