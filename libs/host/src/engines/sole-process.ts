import { setTimeout as delay } from 'node:timers/promises';
import type { Documents } from '@lyceum/documents';
import { type LeaseTimes, documentLeases } from '@lyceum/service';

/** The data is this process's alone. */
export interface SoleProcess {
  /** Gives it back, so that another process can begin at once. */
  close(): Promise<void>;
}

/** Another process has the data. */
export class AnotherProcess extends Error {
  override readonly name = 'AnotherProcess';
}

interface SoleOptions {
  readonly documents: Documents;
  readonly onError: (error: unknown) => void;
  /** Another process has the data because this one stood still: what this one does from now on may be done twice. */
  readonly onLost: (error: AnotherProcess) => void;
  readonly times?: LeaseTimes;
}

const usual: LeaseTimes = { beat: 1_000, look: 400, lifetime: 4_000 };

/**
 * Takes the data of a service for one process, where its store would let others in. Waits while a process before this one
 * may still be dying; throws `AnotherProcess` when it goes on working. While the store does not answer, no process is taken for dead.
 */
export async function beSoleProcess({ documents, onError, onLost, times = usual }: SoleOptions): Promise<SoleProcess> {
  // A dead process is found out after its lifetime, a working one writes with each beat.
  const patience = times.lifetime + 2 * times.beat;
  const closing = new AbortController();
  const now = { holds: false, since: performance.now() };
  const leases = documentLeases(
    documents,
    (error) => {
      now.since = performance.now();
      onError(error);
    },
    times,
  );
  const contender = leases.contend('installation', async () => {
    now.holds = true;
    return {
      async close() {
        [now.holds, now.since] = [false, performance.now()];
      },
    };
  });
  const isAnothers = () => !now.holds && performance.now() - now.since > patience;
  const look = () => delay(times.look / 4, undefined, { signal: closing.signal }).catch(() => undefined);
  while (!now.holds) {
    if (isAnothers()) {
      await contender.close();
      throw new AnotherProcess('another process has the data');
    }
    await look();
  }
  const watching = (async () => {
    while (!closing.signal.aborted && !isAnothers()) await look();
    if (!closing.signal.aborted) onLost(new AnotherProcess('another process has taken the data'));
  })();
  return {
    async close() {
      closing.abort();
      await watching;
      await contender.close();
    },
  };
}
