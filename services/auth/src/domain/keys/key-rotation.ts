import type { Work } from '@lyceum/service';
import { setTimeout as delay } from 'node:timers/promises';
import type { KeyPace } from './key-ring.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Whose keys are looked after, and how often. */
export interface KeyRotation {
  readonly keys: Pick<SigningKeys, 'advance'>;
  readonly schools: () => Iterable<string>;
  /** Milliseconds until the first look, when the schools are known, and between two looks. */
  readonly first?: number;
  readonly every?: number;
  /** Reports a failure; it is tried again at the next look. */
  readonly onError: (error: unknown, school: string) => void;
}

/** How often keys of a pace are looked at: often enough for the steps of a short one. Milliseconds. */
export function rotationIntervals({ signs }: KeyPace): { readonly first: number; readonly every: number } {
  const often = signs * 50;
  return { first: Math.min(60_000, often), every: Math.min(3_600_000, often) };
}

/**
 * Looks at the keys of every school a minute after the start and once an hour from then on, and takes the steps that are
 * due. Several processes may do it side by side: the ring decides each step once.
 */
export function keepRotatingKeys({ keys, schools, first = 60_000, every = 3_600_000, onError }: KeyRotation): Work {
  const closing = new AbortController();
  const wait = (milliseconds: number) =>
    delay(milliseconds, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
  const rotating = (async () => {
    for (await wait(first); !closing.signal.aborted; await wait(every))
      for (const school of schools()) {
        if (closing.signal.aborted) return;
        await keys.advance(school).catch((error: unknown) => onError(error, school));
      }
  })();
  return {
    async close() {
      closing.abort();
      await rotating;
    },
  };
}
