import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Draft, draft } from '../storage/draft.ts';
import { laneOf } from '../lane.ts';
import { ConcurrencyConflict, IdempotencyMismatch, OutcomeUnknown, Unavailable } from '../errors.ts';
import type { Append, Appended } from '../port.ts';
import { type CommitStore, type StoredCommit, decode } from '../storage/store.ts';
import { InFlight } from './in-flight.ts';

/** Appends per transaction at most: more callers than this share the next one. */
const groupSize = 512;

interface Waiting {
  readonly draft: Draft;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: Error) => void;
}

/** Something else that is done in a transaction. */
interface Step {
  readonly work: () => void;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

type Outcome = { readonly stored: StoredCommit; readonly replayed: boolean } | Error;

/**
 * The only writer of an embedded log: appends that come while a group is on its way to stable storage are the next group,
 * which shares one transaction and one fsync. Each is checked against the heads as the ones before it left them; a refused
 * one writes nothing and harms no other. The event loop goes on meanwhile.
 */
export class GroupWriter {
  readonly #store: CommitStore;
  readonly #grown: (lanes: ReadonlySet<number>) => void;
  #queue: Waiting[] = [];
  readonly #steps: Step[] = [];
  #working: Promise<void> | undefined;
  #inFlight: InFlight | undefined;
  /** Stable storage failed: what the engine holds may never get there, so nothing more is written. */
  #failure: Unavailable | undefined;
  #closed = false;

  /** `grown` gets the lanes of every transaction that wrote or may have written, once it is durable. */
  constructor(store: CommitStore, grown: (lanes: ReadonlySet<number>) => void) {
    this.#store = store;
    this.#grown = grown;
  }

  /** Resolves once the commit is durable. Throws what `EventLog.append` throws. */
  append(append: Append): Promise<Appended> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new Unavailable('the log is closed');
      this.#queue.push({ draft: draft(append), resolve, reject });
      this.#working ??= this.#work();
    });
  }

  /**
   * Has something done in a transaction of its own, when nothing is on its way to stable storage; appends wait until it is
   * there. Throws `Unavailable`, and `OutcomeUnknown` when it was perhaps done.
   */
  between(work: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new Unavailable('the log is closed');
      this.#steps.push({ work, resolve, reject });
      this.#working ??= this.#work();
    });
  }

  /** What is written and not on stable storage yet. */
  get inFlight(): InFlight | undefined {
    return this.#inFlight;
  }

  /** Writes what waits; later appends are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#working;
  }

  async #work(): Promise<void> {
    while (this.#queue.length > 0 || this.#steps.length > 0) {
      // All who are there in this turn share the group.
      await nextTurn();
      if (this.#queue.length > 0) await this.#flush(this.#queue.splice(0, groupSize));
      const step = this.#steps.shift();
      if (step) await this.#perform(step);
    }
    this.#working = undefined;
  }

  async #flush(group: readonly Waiting[]): Promise<void> {
    let outcomes: Outcome[];
    try {
      if (this.#failure) throw this.#failure;
      outcomes = this.#write(group);
      await this.#settle(outcomes);
    } catch (error) {
      for (const waiting of group) waiting.reject(error as Error);
      // What perhaps was written is there, if it was.
      if (error instanceof OutcomeUnknown)
        this.#grown(new Set(group.map(({ draft: { tenant } }) => laneOf(tenant, this.#store.lanes))));
      return;
    }
    const lanes = new Set<number>();
    group.forEach(({ resolve, reject }, index) => {
      const outcome = outcomes[index]!;
      if (outcome instanceof Error) return reject(outcome);
      if (!outcome.replayed) lanes.add(outcome.stored.lane);
      resolve({ commit: decode(outcome.stored), replayed: outcome.replayed });
    });
    if (lanes.size > 0) this.#grown(lanes);
  }

  async #perform({ work, resolve, reject }: Step): Promise<void> {
    try {
      if (this.#failure) throw this.#failure;
      this.#transaction(work);
      await this.#durably(this.#synced());
      resolve();
    } catch (error) {
      reject(error as Error);
    }
  }

  /** Resolves when what was written is on stable storage. */
  async #settle(outcomes: readonly Outcome[]): Promise<void> {
    const written = outcomes.flatMap((each) => (each instanceof Error || each.replayed ? [] : [each.stored]));
    if (written.length === 0) return;
    this.#inFlight = new InFlight(written, this.#synced());
    await this.#durably(this.#inFlight.durable);
    this.#inFlight = undefined;
  }

  /** Resolves when all that was committed is on stable storage. A failure is final: see `#failure`. */
  #synced(): Promise<void> {
    return this.#store.sync().catch((cause: unknown) => {
      this.#failure = new Unavailable('the log could not be brought to stable storage: restart the process', { cause });
      throw this.#failure;
    });
  }

  async #durably(durable: Promise<void>): Promise<void> {
    try {
      await durable;
    } catch (cause) {
      throw new OutcomeUnknown('the log failed on its way to stable storage', { cause });
    }
  }

  #write(group: readonly Waiting[]): Outcome[] {
    return this.#transaction(() => {
      const outcomes = group.map((waiting) => place(this.#store, waiting.draft));
      this.#store.write();
      return outcomes;
    });
  }

  #transaction<T>(work: () => T): T {
    let done: T;
    try {
      this.#store.begin();
      done = work();
    } catch (cause) {
      this.#store.rollback();
      throw new Unavailable('the log could not be written', { cause });
    }
    try {
      this.#store.commit();
    } catch (cause) {
      this.#store.rollback();
      throw new OutcomeUnknown('the log failed while committing', { cause });
    }
    return done;
  }
}

/** Puts one draft at the head of its lane, or says why not. */
function place(store: CommitStore, drafted: Draft): Outcome {
  const { tenant, commitId, fingerprint, at, meta, events } = drafted;
  // A repeat meets the heads that its first try left, so its expectations do not count.
  const known = store.find(tenant, commitId);
  if (known) return repeat(known, fingerprint);
  for (const { stream, version } of drafted.expectations) {
    const actual = store.version(tenant, stream);
    if (actual !== version) return new ConcurrencyConflict(stream, version, actual);
  }
  const lane = laneOf(tenant, store.lanes);
  const head = store.head(lane);
  const streams = drafted.written.map(({ stream, count }) => {
    const before = store.version(tenant, stream);
    return { id: stream, before, after: before + count };
  });
  const position = head.position + 1;
  const stored = { lane, position, tenant, commitId, prev: head.commitId, fingerprint, at, meta, streams, events };
  store.insert(stored);
  return { stored, replayed: false };
}

const repeat = (stored: StoredCommit, fingerprint: string): Outcome =>
  stored.fingerprint === fingerprint
    ? { stored, replayed: true }
    : new IdempotencyMismatch('this commit id was used for another request');
