import { type KeysInUse, type Tenants, type Work, forEachTenant, inRounds } from '@lyceum/service';
import { keyRings } from './key-ring.projection.ts';
import { type KeyPace, type KeyRing, published } from './key-ring.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Whose keys are looked after, and how often. */
export interface KeyRotation extends Pick<Tenants, 'documents'> {
  readonly keys: Pick<SigningKeys, 'advance'>;
  /** Milliseconds until the first look, and between two looks. */
  readonly first?: number;
  readonly every?: number;
  /** Reports a failure, of a school or of all; it is tried again at the next look. */
  readonly onError: (error: unknown, school?: string) => void;
  /** Gets what is in use after each look, of the schools that could be looked at; undefined at the end. */
  readonly seen?: (keys: KeysInUse | undefined) => void;
}

/** How often keys of a pace are looked at: often enough for the steps of a short one. Milliseconds. */
export function rotationIntervals({ signs }: KeyPace): { readonly first: number; readonly every: number } {
  const often = signs * 50;
  return { first: Math.min(60_000, often), every: Math.min(3_600_000, often) };
}

/**
 * Looks at the keys of every school that has any, a minute after the start and once an hour from then on, and takes the steps
 * that are due. Several processes may do it side by side: the ring decides each step once.
 */
export function keepRotatingKeys({
  keys,
  documents,
  first = 60_000,
  every = 3_600_000,
  onError,
  seen,
}: KeyRotation): Work {
  const round = async (signal: AbortSignal) => {
    const tally = new KeyTally();
    await forEachTenant({ documents, collection: keyRings, signal, onError }, async (school) =>
      tally.add(await keys.advance(school)),
    );
    if (!signal.aborted) seen?.(tally);
  };
  const rotating = inRounds(round, { first, every, onError });
  return {
    async close() {
      await rotating.close();
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
