import type { History } from '@lyceum/channel';
import { type EventLog, Gap } from '@lyceum/eventlog';
import { UnknownEvent } from '@lyceum/kernel';

/** How far a reader is behind. */
export interface Lag {
  /** Newest position of the lane; null when its owner does not answer. */
  readonly head: number | null;
  /** Positions that are still to be handled; null when the owner does not answer. */
  readonly lag: number | null;
  /** When the oldest commit that waits was made; null when none waits, or when that one is missing. */
  readonly waiting_since: string | null;
}

const unknown: Lag = { head: null, lag: null, waiting_since: null };
const none = (head: number): Lag => ({ head, lag: 0, waiting_since: null });

/** Newest position of a lane; before a gap that the log itself has met, the last one that it can show. */
export const headOf = (log: EventLog, lane: number): Promise<number> =>
  log.head(lane).catch((error: unknown) => {
    if (error instanceof Gap) return error.at - 1;
    throw error;
  });

/** How far a reader of all commits of a log is behind. */
export async function lagInLog(log: EventLog, lane: number, position: number): Promise<Lag> {
  const head = await headOf(log, lane);
  if (position >= head) return none(head);
  const next = await log.readLane(lane, position, 1).catch((error: unknown) => {
    if (error instanceof Gap || error instanceof UnknownEvent) return [];
    throw error;
  });
  return { head, lag: head - position, waiting_since: next[0]?.at ?? null };
}

/** Milliseconds that the owner of facts in another process may take to answer. */
const patience = 1_000;

/**
 * How far readers of a service's facts are behind. Commits without facts never reach them, so their owner is asked what is
 * next; what it was found to have nothing in is not asked for again.
 */
export class FactLag {
  readonly #histories = new Map<string, Promise<History | undefined>>();
  readonly #find: (source: string) => Promise<History | undefined>;
  /** Positions up to which a lane has no fact after a watermark. */
  readonly #without = new Map<string, number>();

  /** `find` gives the history of a source; undefined when nobody here knows it. */
  constructor(find: (source: string) => Promise<History | undefined>) {
    this.#find = find;
  }

  async of({ source, lane, watermark }: { source: string; lane: number; watermark: number }): Promise<Lag> {
    const timeout = new Promise<Lag>((resolve) => setTimeout(resolve, patience, unknown).unref());
    return Promise.race([this.#ask(source, lane, watermark).catch(() => unknown), timeout]);
  }

  async #ask(source: string, lane: number, watermark: number): Promise<Lag> {
    const history = await this.#history(source);
    if (!history?.heads) return unknown;
    const head = (await history.heads()).heads[lane] ?? 0;
    const key = `${source} ${lane} ${watermark}`;
    const from = Math.max(watermark, this.#without.get(key) ?? 0);
    if (from >= head) return none(head);
    const [next] = await history.backfill(lane, from, 1);
    if (next) return { head, lag: head - next.position + 1, waiting_since: next.at };
    if (this.#without.size > 10_000) this.#without.clear();
    this.#without.set(key, head);
    return none(head);
  }

  #history(source: string): Promise<History | undefined> {
    const known = this.#histories.get(source) ?? this.#find(source);
    this.#histories.set(source, known);
    known.then(
      (found) => found ?? this.#histories.delete(source),
      () => this.#histories.delete(source),
    );
    return known;
  }
}
