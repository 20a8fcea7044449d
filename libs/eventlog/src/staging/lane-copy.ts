import { ConcurrencyConflict } from '../errors.ts';
import type { Commit, EventLog, Loaded } from '../port.ts';

/** A longer lane is not copied, and so many commits are read at a time. */
const [most, atOnce] = [5_000, 500];

/**
 * A log that reads what a tenant has from a copy of its lane, for work of thousands of commands where each read of the log
 * itself is a question to a server: it is read once, and again after a lost race. The copy has what was there when it was
 * made, what this process wrote since, and may lack what others wrote: decide only with expected versions. The log itself
 * where it is in this process, where it is long, or where it is to be asked anyway.
 */
export async function laneCopy(log: EventLog, tenant: string): Promise<EventLog> {
  if (log.observeNow || (await log.head(log.laneOf(tenant))) > most) return log;
  const copy = new LaneCopy(log, tenant);
  await copy.refresh();
  return copy.asLog();
}

class LaneCopy {
  readonly #log: EventLog;
  readonly #tenant: string;
  readonly #lane: number;
  readonly #commits = new Map<string, Commit>();
  readonly #streams = new Map<string, Commit[]>();
  #position = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(log: EventLog, tenant: string) {
    this.#log = log;
    this.#tenant = tenant;
    this.#lane = log.laneOf(tenant);
  }

  /** Reads what was written since. */
  async refresh(): Promise<void> {
    // A log of several processes learns of what others wrote when it is asked how far it is.
    await this.#log.head(this.#lane);
    await this.#readOn();
  }

  asLog(): EventLog {
    const log = this.#log;
    // States and snapshots may be of more than the copy has: they stay away.
    return {
      lanes: log.lanes,
      ...(log.epoch === undefined ? {} : { epoch: log.epoch }),
      laneOf: (tenant) => log.laneOf(tenant),
      load: async (tenant, streams, fromVersion = 0) =>
        tenant === this.#tenant ? this.#load(streams, fromVersion) : log.load(tenant, streams, fromVersion),
      find: async (tenant, commitId) =>
        tenant === this.#tenant ? this.#commits.get(commitId) : log.find(tenant, commitId),
      append: async (append) => {
        try {
          const appended = await log.append(append);
          await this.#readOn();
          return appended;
        } catch (error) {
          if (error instanceof ConcurrencyConflict) await this.refresh();
          throw error;
        }
      },
      readLane: (...range) => log.readLane(...range),
      head: (lane) => log.head(lane),
      wake: (listener) => log.wake(listener),
      close: () => Promise.reject(new Error('the copy of a lane is closed with its log')),
    };
  }

  /** One after the other: a position is read once. */
  #readOn(): Promise<void> {
    const next = this.#reading.catch(() => undefined).then(() => this.#read());
    this.#reading = next;
    return next;
  }

  async #read(): Promise<void> {
    for (;;) {
      const commits = await this.#log.readLane(this.#lane, this.#position, atOnce);
      for (const commit of commits) this.#learn(commit);
      if (commits.length < atOnce) return;
    }
  }

  #learn(commit: Commit): void {
    this.#position = commit.position;
    if (commit.tenant !== this.#tenant) return;
    this.#commits.set(commit.commitId, commit);
    for (const { id } of commit.streams) {
      const known = this.#streams.get(id);
      if (known) known.push(commit);
      else this.#streams.set(id, [commit]);
    }
  }

  #load(streams: readonly string[], fromVersion: number): Loaded {
    const after = streams.length === 1 ? fromVersion : 0;
    const found = new Set(streams.flatMap((stream) => this.#streams.get(stream) ?? []));
    const isAsked = ({ streams: touched }: Commit) =>
      touched.some((each) => each.after > after && streams.includes(each.id));
    return {
      commits: [...found].filter(isAsked).toSorted((one, other) => one.position - other.position),
      heads: Object.fromEntries(streams.map((stream) => [stream, this.#headOf(stream)])),
      lane: this.#lane,
      position: this.#position,
    };
  }

  #headOf(stream: string): number {
    const newest = this.#streams.get(stream)?.at(-1);
    return newest?.streams.find(({ id }) => id === stream)?.after ?? 0;
  }
}
