import { storedJson } from '@lyceum/kernel';
import { States } from '../folding/states.ts';
import { ConcurrencyConflict, IdempotencyMismatch } from '../errors.ts';
import type { Append, Appended, Commit, EventLog, Expectation, Touched } from '../port.ts';

/** A log over another one that keeps what is appended to it until it is written, all at once. */
export interface StagedLog {
  /** Reads what is stored and, after it, what is kept. For one caller: it is decided there one command after another. */
  readonly log: EventLog;
  /**
   * Hands on what is kept, in order and in one turn of the event loop, so that an embedded log brings all of it to stable
   * storage once. Throws what `EventLog.append` throws: `ConcurrencyConflict` when somebody else has written meanwhile.
   * What was kept is gone then; a repeat under the same commit ids finds what was written of it and decides the rest anew.
   */
  write(): Promise<void>;
}

/** About how many bytes of states stay between the commands. */
const stateBytes = 2 * 1024 * 1024;

/**
 * Stages commands of one tenant that follow from each other, e.g. all that becomes of an order, so that they do not wait for
 * storage one by one. Each commit stays a commit of its own, with its time. It expects the streams of the one before it as
 * they were left: where each writes a stream that nobody else writes, as that of the order, nothing is written of what
 * follows from a commit that was refused.
 */
export function stagedLog(log: EventLog): StagedLog {
  const staging = new Staging(log);
  return { log: staging.asLog(), write: () => staging.write() };
}

/** How often work is done again that somebody else came before. */
const attempts = 5;

/**
 * Does work whose commits are written together, and again when somebody else has written to the same streams meanwhile: its
 * commit ids have to be derived, so that a repeat finds what is written.
 */
export async function inOneWrite<T>(log: EventLog, work: (log: EventLog) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const staged = stagedLog(log);
    try {
      const done = await work(staged.log);
      await staged.write();
      return done;
    } catch (error) {
      if (!(error instanceof ConcurrencyConflict) || attempt === attempts) throw error;
    }
  }
}

interface Kept {
  readonly append: Append;
  readonly commit: Commit;
}

class Staging {
  readonly #log: EventLog;
  #kept: Kept[] = [];
  /** Of streams that are written by what is kept. */
  readonly #versions = new Map<string, number>();
  #states = new States(stateBytes);

  constructor(log: EventLog) {
    this.#log = log;
  }

  asLog(): EventLog {
    const log = this.#log;
    const states = () => this.#states;
    return {
      lanes: log.lanes,
      ...(log.epoch === undefined ? {} : { epoch: log.epoch }),
      // Those of the log itself would learn of what is not written.
      get states() {
        return states();
      },
      laneOf: (tenant) => log.laneOf(tenant),
      load: (...what) => this.#load(...what),
      find: async (tenant, commitId) => this.#keptAs(commitId)?.commit ?? log.find(tenant, commitId),
      append: (append) => this.#append(append),
      readLane: (...range) => log.readLane(...range),
      head: (lane) => log.head(lane),
      wake: (listener) => log.wake(listener),
      close: () => Promise.reject(new Error('a staged log is closed by its owner')),
    };
  }

  async write(): Promise<void> {
    const kept = this.#kept;
    this.#kept = [];
    this.#versions.clear();
    const outcomes = await Promise.allSettled(kept.map(({ append }) => this.#log.append(append)));
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    if (!refused) return;
    this.#states = new States(stateBytes);
    throw refused.reason;
  }

  #keptAs(commitId: string): Kept | undefined {
    return this.#kept.find(({ commit }) => commit.commitId === commitId);
  }

  async #load(tenant: string, streams: readonly string[], fromVersion = 0) {
    const loaded = await this.#log.load(tenant, streams, fromVersion);
    const isAsked = ({ id, after }: Touched) => streams.includes(id) && after > fromVersion;
    const more = this.#kept.filter(({ commit }) => commit.streams.some(isAsked)).map(({ commit }) => commit);
    const heads = streams.map((stream) => [stream, this.#versions.get(stream) ?? loaded.heads[stream] ?? 0] as const);
    return { ...loaded, commits: [...loaded.commits, ...more], heads: Object.fromEntries(heads) };
  }

  async #append(append: Append): Promise<Appended> {
    const { tenant, commitId, fingerprint, at, meta } = append;
    const known = this.#keptAs(commitId);
    if (known && known.append.fingerprint !== fingerprint)
      throw new IdempotencyMismatch('this commit id was used for another request');
    if (known) return { commit: known.commit, replayed: true };
    const names = [...new Set([...append.expectations, ...append.events].map(({ stream }) => stream))];
    const { heads, lane, position } = await this.#load(tenant, names, Number.MAX_SAFE_INTEGER);
    for (const { stream, version } of append.expectations)
      if (heads[stream] !== version) throw new ConcurrencyConflict(stream, version, heads[stream] ?? 0);
    const events = recorded(append, heads);
    const streams = touched(append, heads);
    const prev = this.#kept.at(-1)?.commit;
    const commit: Commit = {
      lane,
      position: position + this.#kept.length + 1,
      tenant,
      commitId,
      prev: prev?.commitId ?? '',
      fingerprint,
      at,
      meta,
      streams,
      events,
    };
    this.#kept.push({ append: { ...append, expectations: chained(append.expectations, prev) }, commit });
    for (const { id, after } of streams) this.#versions.set(id, after);
    return { commit, replayed: false };
  }
}

/** What an append expects, and that the commit before it was written. */
function chained(expectations: readonly Expectation[], prev: Commit | undefined): readonly Expectation[] {
  const named = new Set(expectations.map(({ stream }) => stream));
  const left = (prev?.streams ?? []).filter(({ id }) => !named.has(id));
  return [...expectations, ...left.map(({ id, after }) => ({ stream: id, version: after }))];
}

type Heads = Readonly<Record<string, number>>;

function recorded({ commitId, events }: Append, heads: Heads): Commit['events'] {
  const versions = new Map(Object.entries(heads));
  // As a log gives it back: what is undefined is not there.
  return storedJson<Append['events']>(JSON.stringify(events)).map((event, index) => {
    const version = (versions.get(event.stream) ?? 0) + 1;
    versions.set(event.stream, version);
    return { ...event, id: `${commitId}.${index + 1}`, version };
  });
}

function touched({ events }: Append, heads: Heads): readonly Touched[] {
  const counts = new Map<string, number>();
  for (const { stream } of events) counts.set(stream, (counts.get(stream) ?? 0) + 1);
  return [...counts].map(([id, count]) => {
    const before = heads[id] ?? 0;
    return { id, before, after: before + count };
  });
}
