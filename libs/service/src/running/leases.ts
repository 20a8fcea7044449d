import { setTimeout as delay } from 'node:timers/promises';
import type { LaneSet } from '@lyceum/eventlog';
import { begunInTurn } from './begun-together.ts';

/** Work that only one process of a service does at a time. */
export interface Work {
  close(): Promise<void>;
}

/** A lasting request to do some work, for as long as the process runs. */
export interface Contender<W extends Work = Work> {
  /** The work, while it is this process's. */
  current(): W | undefined;
  /** Ends the work and gives the lease back, so that another process begins within a second. */
  close(): Promise<void>;
}

/** Work on the lanes of a log, which the processes of a service share. */
export interface Sharing<W extends Work = Work> {
  /** How many lanes the log has. */
  readonly lanes: number;
  /** What of the work a release does in its own way: only processes in which it is equal share. */
  readonly form: string;
  /**
   * Does the work on this process's lanes, which change while it goes on; on all of them when none are given. It must bear
   * repetition, as what one process does.
   */
  begin(lanes?: LaneSet): Promise<W>;
  /** What one of the processes does for all lanes. */
  lead?(): Promise<Work>;
}

/** A lasting request to take part in work that is shared. */
export interface Sharer<W extends Work = Work> extends Contender<W> {
  /** Whether a lane is this process's at this moment. */
  has(lane: number): boolean;
}

/** Who may do what only one process should do. */
export interface Leases {
  /**
   * Does the work whenever this process has the lease: `begin` is called with a fencing token that only grows. When the
   * lease is lost, the work is closed and the wish stands. A process that was stopped and woken may go on for a moment
   * beside its successor: whatever the work does must bear repetition.
   */
  contend<W extends Work>(name: string, begin: (token: number) => Promise<W>): Contender<W>;
  /**
   * Does a part of the work in each process that wants it: about as many lanes as in each other one. A process that comes gets
   * its part within seconds, and one that goes, or does not live any more, leaves it to the others. A lane may be at two
   * processes for a moment.
   */
  share<W extends Work>(name: string, sharing: Sharing<W>): Sharer<W>;
  /**
   * Gives all leases back and waits for a moment, so that another process may have them: for one that met what it does not
   * know. Where nobody takes them, the work goes on here. Asked again soon, it changes nothing.
   */
  stepAside?(): void;
}

/**
 * Does work in one process at a time. Without leases this process is the only one: the work has begun when this resolves,
 * and what `begin` throws is thrown.
 */
export async function inOneProcess<W extends Work>(
  leases: Leases | undefined,
  name: string,
  begin: () => Promise<W>,
): Promise<Contender<W>> {
  if (leases) return leases.contend(name, begin);
  const work = await begin();
  return { current: () => work, close: () => work.close() };
}

/** As `inOneProcess`, for work that processes share. */
export async function inShares<W extends Work>(
  leases: Leases | undefined,
  name: string,
  sharing: Sharing<W>,
): Promise<Sharer<W>> {
  if (leases) return leases.share(name, sharing);
  const whole = await wholeOf(sharing);
  return { current: () => whole.work, has: () => true, close: () => whole.close() };
}

/** All of the work, with what one process does for all lanes. */
async function wholeOf<W extends Work>({ begin, lead }: Sharing<W>): Promise<Work & { readonly work: W }> {
  return begunInTurn(async (keep) => {
    const work = keep(await begin());
    const leading = await lead?.();
    return {
      work,
      async close() {
        await leading?.close();
        await work.close();
      },
    };
  });
}

/** The leases of the one process that can have the data: it has every one, at once. */
export const soleLeases = (onError: (error: unknown, name: string) => void): Leases => {
  const contend = <W extends Work>(name: string, begin: (token: number) => Promise<W>): Contender<W> => {
    const closing = new AbortController();
    let work: W | undefined;
    const begun = (async () => {
      while (!work && !closing.signal.aborted)
        try {
          work = await begin(1);
        } catch (error) {
          onError(error, name);
          await delay(1_000, undefined, { signal: closing.signal }).catch(() => undefined);
        }
    })();
    return {
      current: () => work,
      async close() {
        closing.abort();
        await begun;
        await work?.close();
      },
    };
  };
  return {
    contend,
    share<W extends Work>(name: string, sharing: Sharing<W>) {
      const { current, close } = contend(name, () => wholeOf(sharing));
      return { current: () => current()?.work, has: () => current() !== undefined, close };
    },
  };
};
