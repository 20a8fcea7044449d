import { BoundedMap, shared } from '@lyceum/kernel';
import { weightOf } from '../folding/weight.ts';
import { forwarding } from '../forwarding.ts';
import type { Vault } from '../keys/vault.ts';
import type { Commit, EventLog } from '../port.ts';

/** How reads are shared. */
interface SharingOptions {
  /** Says who is erased: the vault that reads the log. What was read before is then read anew. */
  readonly erasures: Pick<Vault, 'onErased'>;
  /** About how many bytes of commits stay; 4 MiB when not given. */
  readonly bytes?: number;
  /** Milliseconds that they stay at most; 1,000 when not given. */
  readonly stay?: number;
}

/** Commits of a part that stays, at most: a pass over the whole log asks for more, and tells all who want them. */
const mostKept = 256;

/**
 * The same log, of whose lanes the same part is read once for all who follow it at the same time: a service has a dozen
 * followers, and to open what is personal costs more than most of them do with it. Only where this process is the log's one
 * writer: another log may be put in the place of one on a server.
 */
export function withSharedReading(
  log: EventLog,
  { erasures, bytes = 4 * 1024 * 1024, stay = 1_000 }: SharingOptions,
): EventLog {
  if (log.looksOut) return log;
  const reads = new SharedReads(log, bytes, stay);
  erasures.onErased(() => reads.forget());
  return forwarding(log, { readLane: (...part) => reads.read(...part) });
}

/** A part of a lane that is being read, or was; `head`: of the lane when that began. */
interface Read {
  readonly head: number;
  readonly commits: Promise<readonly Commit[]>;
}

type Kept = Read & { readonly weight: number };

class SharedReads {
  readonly #log: EventLog;
  readonly #bytes: number;
  readonly #stay: number;
  readonly #reading = new Map<string, Read>();
  readonly #kept: BoundedMap<string, Kept>;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: EventLog, bytes: number, stay: number) {
    this.#log = log;
    this.#bytes = bytes;
    this.#stay = stay;
    this.#kept = new BoundedMap(bytes, ({ weight }) => weight);
  }

  async read(lane: number, after: number, limit: number): Promise<readonly Commit[]> {
    const head = await this.#log.head(lane);
    const name = `${lane}/${after}/${limit}`;
    const known = this.#reading.get(name) ?? this.#kept.get(name);
    // Where the lane has grown since, a part that was cut off by its end is longer now.
    if (known && (known.head === head || known.head - after >= limit)) return known.commits;
    const read = { head, commits: this.#log.readLane(lane, after, limit) };
    this.#reading.set(name, read);
    try {
      const commits = shared(await read.commits);
      if (this.#reading.get(name) === read && limit <= mostKept) this.#keep(name, read, commits);
      return commits;
    } finally {
      if (this.#reading.get(name) === read) this.#reading.delete(name);
    }
  }

  /** Everything is read anew, and what is being read is shared with nobody who comes later. */
  forget(): void {
    this.#reading.clear();
    this.#kept.clear();
  }

  #keep(name: string, read: Read, commits: readonly Commit[]): void {
    const weight = weightOf(commits, this.#bytes);
    if (weight > this.#bytes) return;
    this.#kept.set(name, { ...read, weight });
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#kept.clear();
    }, this.#stay).unref();
  }
}
