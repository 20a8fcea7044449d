import type { Documents } from '@lyceum/documents';
import { DocumentContender } from './document-contender.ts';
import { DocumentSharer } from './document-sharer.ts';
import { Aside, type LeaseTimes, usualTimes } from './lease-times.ts';
import type { Leases } from '../leases.ts';

/**
 * Leases as counters in the documents. The holder moves the counter from n to n+1 with each sign of life, which succeeds
 * for one process only; a process that sees no change for a lifetime on its own clock moves it, and has the lease. The
 * clocks of machines are never compared. `onError` gets failed tries.
 */
export function documentLeases(
  documents: Documents,
  onError: (error: unknown, name: string) => void,
  times: LeaseTimes = usualTimes,
): Leases {
  const aside = new Aside(times);
  const optionsOf = (name: string) => ({
    documents,
    name,
    times,
    aside,
    onError: (error: unknown) => onError(error, name),
  });
  return {
    stepAside: () => aside.step(),
    contend(name, begin) {
      const contender = new DocumentContender(optionsOf(name), begin);
      return { current: () => contender.work, close: () => contender.close() };
    },
    share(name, sharing) {
      const sharer = new DocumentSharer(optionsOf(name), sharing);
      return { current: () => sharer.work, has: (lane) => sharer.has(lane), close: () => sharer.close() };
    },
  };
}
