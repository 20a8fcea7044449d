import type { Clock } from '@lyceum/kernel';

/** What can be revoked: one token, or every token of a grant. */
type Revocable = 'jti' | 'grant';

/** Revocations that still matter. */
export interface DenySet {
  /**
   * Remembers until `until` (RFC 3339), and a little longer because verifiers tolerate clock differences: until the time
   * that is returned, milliseconds; undefined when that is over.
   */
  add(school: string, kind: Revocable, id: string, until: string): number | undefined;
  /** Restores what `add` returned before. */
  keep(school: string, kind: Revocable, id: string, until: number): void;
  clear(): void;
  has(school: string, kind: Revocable, id: string): boolean;
  /** How many are held. */
  size(): number;
}

const grace = 60_000;
const sweepEvery = 60_000;

const keyOf = (school: string, kind: Revocable, id: string): string => `${school}\n${kind}\n${id}`;

/** A deny set that grows no larger than the revocations of one token lifetime. */
export function denySet(clock: Clock): DenySet {
  const entries = new Map<string, number>();
  let swept = clock.now();

  const sweep = (now: number): void => {
    if (Math.abs(now - swept) < sweepEvery) return;
    swept = now;
    for (const [key, until] of entries) if (until <= now) entries.delete(key);
  };

  return {
    add(school, kind, id, until) {
      const now = clock.now();
      const time = Date.parse(until);
      if (Number.isNaN(time)) throw new Error('a revocation without a valid time');
      sweep(now);
      const key = keyOf(school, kind, id);
      const kept = Math.max(entries.get(key) ?? 0, time + grace);
      if (kept <= now) return undefined;
      entries.set(key, kept);
      return kept;
    },
    keep: (school, kind, id, until) => void entries.set(keyOf(school, kind, id), until),
    clear: () => entries.clear(),
    has: (school, kind, id) => (entries.get(keyOf(school, kind, id)) ?? 0) > clock.now(),
    size: () => entries.size,
  };
}
