import { setTimeout as delay } from 'node:timers/promises';
import { type Collection, type Documents, tenantsOf } from '@lyceum/documents';
import type { Work } from './leases.ts';

/** When rounds of work are done, and who hears of one that failed. */
export interface Pace {
  /** Milliseconds until the first round; a minute when not given, because a start has other things to do. */
  readonly first?: number;
  /** Milliseconds between the end of a round and the next one. */
  readonly every: number;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds until a round that failed is tried again; twice as long after each more. */
const again = 5_000;

/** Does a round of work again and again until it is closed, which waits for the one that is on its way and aborts its signal. */
export function inRounds(
  round: (signal: AbortSignal) => Promise<unknown>,
  { first = 60_000, every, onError }: Pace,
): Work {
  const closing = new AbortController();
  const { signal } = closing;
  const rest = (milliseconds: number) => delay(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  const working = (async () => {
    if (first > 0) await rest(first);
    for (let wait = again; !signal.aborted;)
      try {
        await round(signal);
        wait = again;
        await rest(every);
      } catch (error) {
        onError(error);
        await rest(Math.min(every, wait));
        wait *= 2;
      }
  })();
  return {
    async close() {
      closing.abort();
      await working;
    },
  };
}

/** Whom work is done for. */
export interface Tenants {
  readonly documents: Pick<Documents, 'tenants'>;
  /** Those with a document in it. */
  readonly collection: Collection;
  /** Ends the work after the tenant whose turn it is. */
  readonly signal?: AbortSignal;
  /** Hears of a tenant for whom the work failed; the others are not concerned. */
  readonly onError: (error: unknown, tenant: string) => void;
}

/** Does the work for one tenant after the other. Throws when the tenants cannot be read. */
export async function forEachTenant(
  { documents, collection, signal, onError }: Tenants,
  work: (tenant: string) => Promise<void>,
): Promise<void> {
  for await (const tenant of tenantsOf(documents, collection)) {
    if (signal?.aborted) return;
    await work(tenant).catch((error: unknown) => onError(error, tenant));
  }
}
