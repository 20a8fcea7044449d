import { type Taken, type TakenMany, debtOf, takeUnits } from '@lyceum/ephemeral';

/** What one process knows of a quota that it shares. Times are milliseconds of its clock. */
export interface Lease {
  /** Units that were taken from the shared quota and not used yet. */
  held: number;
  /** When all that this process has used is refilled: alone it never uses more than the quota. */
  ownWhole: number;
  /** When the shared quota is whole again, as the store said last; undefined before. */
  sharedWhole: number | undefined;
}

/** A quota and the milliseconds in which it refills. */
export interface Quota {
  readonly units: number;
  readonly window: number;
}

/**
 * The units that a process holds of a quota: a twentieth, so that the processes together use at most so much more than
 * the quota for each of them, and that one round trip is enough for as many requests.
 */
export const batchOf = (quota: number): number => Math.max(1, Math.floor(quota / 20));

/** A lease of which nothing is known yet. */
export const newLease = (now: number): Lease => ({ held: 0, ownWhole: now, sharedWhole: undefined });

/** What this process may use by its own count: while the shared one is out of reach, this alone decides. */
export function useOwn(lease: Lease, now: number, { units, window }: Quota): Taken {
  const own = takeUnits(lease.ownWhole - now, 1, units, window);
  if (own.taken === 1) {
    lease.ownWhole = now + own.debt;
    lease.held = Math.max(0, lease.held - 1);
  }
  return { taken: own.taken === 1, left: own.left, wait: own.wait };
}

/**
 * Uses one unit of a lease. Refused when the process has used the quota up by itself, or holds nothing and knows that the
 * shared quota has nothing to give yet; undefined when that has to be asked for. `left` is what the process knows of: it
 * hears of the use of others with each batch.
 */
export function useLease(lease: Lease, now: number, quota: Quota): Taken | undefined {
  const shared = sharedOf(lease, now, quota);
  if (lease.held === 0) {
    const own = takeUnits(lease.ownWhole - now, 0, quota.units, quota.window);
    if (own.left > 0 && shared.left > 0) return undefined;
    return { taken: false, left: 0, wait: Math.max(...[own, shared].map(({ left, wait }) => (left === 0 ? wait : 0))) };
  }
  const own = useOwn(lease, now, quota);
  const known = lease.held + shared.left;
  return own.left <= known ? own : { taken: own.taken, left: known, wait: shared.wait };
}

/** How many units to ask for so that those who wait can be served and a batch is held; 0 while that is not needed. */
export function unitsToAsk(lease: Lease, now: number, quota: Quota, waiting: number): number {
  const batch = batchOf(quota.units);
  if (waiting === 0 && (lease.held * 2 >= batch || sharedOf(lease, now, quota).left === 0)) return 0;
  const own = takeUnits(lease.ownWhole - now, 0, quota.units, quota.window);
  return Math.max(1, Math.max(batch, Math.min(waiting, own.left)) - lease.held);
}

/** Adds what the shared quota has given. */
export function receive(lease: Lease, now: number, { units, window }: Quota, answer: TakenMany): void {
  lease.held += answer.taken;
  lease.sharedWhole = now + debtOf(answer, units, window);
}

/** What the shared quota is thought to have: all of it before anybody has asked. */
const sharedOf = ({ sharedWhole }: Lease, now: number, { units, window }: Quota) =>
  takeUnits((sharedWhole ?? now) - now, 0, units, window);
