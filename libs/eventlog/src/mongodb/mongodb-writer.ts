import { failureOf } from '@lyceum/mongo';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { Draft } from '../storage/draft.ts';
import type { Lane } from './mongodb-lane.ts';
import { keyOf } from './lane-index.ts';
import { type Placed, type Waiting, place, streamsOf } from './placing.ts';
import { answer, giveUp, settle, unsettled } from './verdict.ts';
import type { Appended } from '../port.ts';
import { type LaneHead, type StoredCommit, decode } from '../storage/store.ts';

/** Appends per insert at most: FerretDB takes ordered inserts per 100. */
const groupSize = 64;
/** Characters of events per insert, about: one command of the driver, which splits at 16 MB. */
const groupLength = 4 * 1024 * 1024;
/** Milliseconds that a group may go on losing races. */
const patience = 5_000;
/** Milliseconds that a group may go on meeting failures, besides the time that the driver looks for a server. */
const endurance = 500;

/** Groups after a lost race that begin with a look at the lane. */
const memory = 8;

/** Where a lane's writer puts its commits. */
export interface LaneSink {
  /** Stores the commits in this order, up to the first one that fails. Resolves when all are durable. */
  insert(commits: readonly StoredCommit[]): Promise<void>;
  /** The lane grew by commits of this writer. */
  grown(): void;
  /** Does one round of work, when the engine is ready for it. */
  turn<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * The writer of one lane in this process: concurrent appends share one ordered insert, and one insert is in flight.
 * Other processes may write to the lane; a position belongs to the process that inserts it first.
 */
export class LaneWriter {
  readonly #lane: Lane;
  readonly #sink: LaneSink;
  readonly #queue: Waiting[] = [];
  #working: Promise<void> | undefined;
  #contended = 0;

  constructor(lane: Lane, sink: LaneSink) {
    this.#lane = lane;
    this.#sink = sink;
  }

  /** Resolves once the commit is durable. Throws what `EventLog.append` throws. */
  append(drafted: Draft): Promise<Appended> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ draft: drafted, resolve, reject });
      this.#working ??= this.#work();
    });
  }

  /** Resolves when nothing waits and nothing is in flight. */
  async idle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  async #work(): Promise<void> {
    // A caller that is answered by one group may ask again for the next one.
    for (await turn(); this.#queue.length > 0; await turn()) await this.#group(this.#take());
    this.#working = undefined;
  }

  #take(): Waiting[] {
    let length = 0;
    let count = 0;
    for (const { draft } of this.#queue) {
      if (count === groupSize || (count > 0 && length + draft.events.length > groupLength)) break;
      length += draft.events.length;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  async #group(group: Waiting[]): Promise<void> {
    const began = performance.now();
    let rest: readonly Waiting[] = group;
    for (let attempt = 1; rest.length > 0; attempt += 1) {
      const left = rest;
      try {
        rest = await this.#sink.turn(() => this.#round(left));
        if (rest.length > 0 && performance.now() - began > patience)
          return giveUp(rest, new Error('too many lost races'));
      } catch (error) {
        rest = left.filter(unsettled);
        if (failureOf(error) === 'unsent') return this.#down(rest, error);
        this.#lane.distrust();
        if (performance.now() - began > endurance) return giveUp(rest, error);
      }
      // Racers that retry in step would lose in step.
      if (attempt > 1 && rest.length > 0) await pause(Math.random() * Math.min(2 ** attempt, 64));
    }
  }

  /** One try for all; gives those that must be tried again. */
  async #round(group: readonly Waiting[]): Promise<readonly Waiting[]> {
    const { index, number } = this.#lane;
    // Where others write too, a look before is cheaper than a lost race after.
    if (this.#contended > 0) await this.#lane.refresh();
    const head = await this.#known(group);
    const { placed, repeated, refused, later } = place(number, index, head, group);
    // A caller may have seen more than this process has, through another one.
    const behind = refused.some(({ conflict }) => conflict.actual < conflict.expected);
    if (behind && (await this.#lane.refresh()).position > head.position) return group;
    if (placed.length > 0) {
      const failure = await this.#sink
        .insert(placed.map(({ commit }) => commit))
        .catch((error: unknown) => ({ error }));
      if (failure) return this.#after(failure.error, placed, group);
      this.#contended = Math.max(0, this.#contended - 1);
      for (const { commit } of placed) this.#lane.learn(commit);
      for (const { waiting, commit } of placed) settle(waiting, { commit: decode(commit), replayed: false });
      this.#sink.grown();
    }
    await Promise.all(repeated.map(async (waiting) => answer(waiting, (await this.#read(waiting))!)));
    const now = new Set(placed.map(({ waiting: { draft } }) => keyOf(draft.tenant, draft.commitId)));
    for (const { waiting, conflict } of refused) {
      // One that was asked for before the commit of the same id counts as lost before it.
      const before = now.has(keyOf(waiting.draft.tenant, waiting.draft.commitId))
        ? undefined
        : await this.#read(waiting);
      if (before) answer(waiting, before);
      else settle(waiting, conflict);
    }
    return later;
  }

  /** The head, with the versions of all streams that matter in the index as of that head. */
  async #known(group: readonly Waiting[]): Promise<LaneHead> {
    for (;;) {
      const head = await this.#lane.head();
      const { index } = this.#lane;
      const missing = group.flatMap(({ draft }) =>
        streamsOf(draft)
          .filter((stream) => index.known(draft.tenant, stream) === undefined)
          .map((stream) => index.version(draft.tenant, stream, head.position)),
      );
      if (missing.length === 0) return head;
      await Promise.all(missing);
    }
  }

  /** After a failed insert: what the lane holds now says who was stored; the others are tried again. */
  async #after(error: unknown, placed: readonly Placed[], group: readonly Waiting[]): Promise<readonly Waiting[]> {
    const failure = failureOf(error);
    if (failure === 'unsent') throw error;
    for (const { waiting, commit } of placed) waiting.sentAt = commit.position;
    if (failure === 'unknown') this.#lane.distrust();
    else this.#contended = memory;
    const { index } = this.#lane;
    const { position } = await this.#lane.refresh();
    let stored = 0;
    for (const { waiting, commit } of placed) {
      const at = index.remembered(waiting.draft.tenant, waiting.draft.commitId);
      if (at === undefined) {
        // A position that another commit has will not be given to this one by an insert that is still under way.
        if (commit.position <= position) delete waiting.sentAt;
        continue;
      }
      stored += 1;
      answer(waiting, (await this.#read(waiting))!, commit);
    }
    if (stored > 0) this.#sink.grown();
    // No commit has the position, so the id must be an old one, or the winner cannot be seen by a majority yet.
    const [first] = placed;
    if (first && failure === 'duplicate' && position < first.commit.position) {
      const old = await this.#read(first.waiting);
      // Otherwise it may be this very one: as long as nobody sees the position, there is no telling.
      if (old) answer(first.waiting, old);
    }
    return group.filter(unsettled);
  }

  #read({ draft }: Waiting): Promise<StoredCommit | undefined> {
    return this.#lane.index.find(draft.tenant, draft.commitId);
  }

  /** The server cannot be reached: callers that wait get the failure at once, instead of waiting for its turn to fail. */
  #down(rest: readonly Waiting[], cause: unknown): void {
    this.#lane.distrust();
    giveUp([...rest, ...this.#queue.splice(0)], cause);
  }
}
