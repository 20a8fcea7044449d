import type { KeysInUse, Work } from '@lyceum/service';
import { setTimeout as delay } from 'node:timers/promises';
import { type KeyPace, type KeyRing, published } from './key-ring.ts';
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
  /** Gets what is in use after each look, of the schools that could be looked at; undefined at the end. */
  readonly seen?: (keys: KeysInUse | undefined) => void;
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
export function keepRotatingKeys({
  keys,
  schools,
  first = 60_000,
  every = 3_600_000,
  onError,
  seen,
}: KeyRotation): Work {
  const closing = new AbortController();
  const wait = (milliseconds: number) =>
    delay(milliseconds, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
  const rotating = (async () => {
    for (await wait(first); !closing.signal.aborted; await wait(every)) {
      const tally = new KeyTally();
      for (const school of schools()) {
        if (closing.signal.aborted) return;
        await keys.advance(school).then(
          (ring) => tally.add(ring),
          (error: unknown) => onError(error, school),
        );
      }
      seen?.(tally);
    }
  })();
  return {
    async close() {
      closing.abort();
      await rotating;
      seen?.(undefined);
    },
  };
}

/** Counts the keys of all schools. */
class KeyTally implements KeysInUse {
  readonly byStatus: Record<string, number> = { next: 0, current: 0, previous: 0 };
  oldestSince: number | undefined;

  add(ring: KeyRing): void {
    for (const { status, since } of published(ring)) {
      this.byStatus[status] = (this.byStatus[status] ?? 0) + 1;
      if (status === 'current') this.oldestSince = Math.min(since, this.oldestSince ?? since);
    }
  }
}
