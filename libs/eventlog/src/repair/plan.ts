import { randomUUID } from 'node:crypto';
import type { StoredCommit } from '../storage/store.ts';
import type { Salvage } from './salvage.ts';

/** What is done about commits that are nowhere: the lane is cut before them, or they are marked as lost and it goes on. */
export type Lost = 'cut' | 'mark';

/** Positions of a lane that cannot be read, and what is done about them; nothing is, without a remedy. */
export interface Hole {
  readonly lane: number;
  readonly from: number;
  readonly to: number;
  readonly reason: 'missing' | 'damaged';
  readonly remedy: 'restore' | Lost | undefined;
  /** Commits after it in the lane, which a cut takes away too. */
  readonly behind: number;
}

/** Versions of a stream that were in commits which are lost: whatever is read of it lacks them. */
export interface TornStream {
  readonly tenant: string;
  readonly stream: string;
  readonly from: number;
  readonly to: number;
}

/** The lanes of a log as they will be, one commit after the other. */
export interface RepairPlan {
  readonly holes: readonly Hole[];
  /** Damaged lines whose place nothing shows: the end of some lane may have been there. */
  readonly unplaced: number;
  /** Whether positions come to mean other commits, so that every reader has to begin anew. */
  readonly isNewEpoch: boolean;
  /** At most 100. */
  readonly torn: readonly TornStream[];
  /** The commits of a lane, in order, as they are once it is repaired. */
  commitsOf(lane: number): Iterable<StoredCommit>;
}

const mostTorn = 100;

/** What can be done about a damaged log, with another copy of it if there is one. Writes nothing. */
export function planOf(log: Salvage, copy: Salvage | undefined, lost: Lost | undefined): RepairPlan {
  const lanes = log.lanes.map((_, lane) => new LanePlan(log, copy, lane, lost));
  const holes = lanes.flatMap((lane) => lane.holes);
  // Each of these is taken for one that cannot say where it was, as long as there are as many.
  const missing = holes
    .filter(({ reason }) => reason === 'missing')
    .reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const unplaced = Math.max(0, log.unplaced - missing);
  return {
    holes,
    unplaced,
    isNewEpoch: unplaced > 0 || holes.some(({ remedy }) => remedy === 'cut' || remedy === 'mark'),
    torn: lanes.flatMap((lane) => lane.torn()).slice(0, mostTorn),
    commitsOf: (lane) => lanes[lane]!.commits(),
  };
}

class LanePlan {
  readonly holes: readonly Hole[];
  readonly #log: Salvage;
  readonly #copy: Salvage | undefined;
  readonly #lane: number;
  /** What stands in the place of a commit that cannot be read, where it is known. */
  readonly #marks = new Map<number, StoredCommit>();
  readonly #end: number;

  constructor(log: Salvage, copy: Salvage | undefined, lane: number, lost: Lost | undefined) {
    this.#log = log;
    this.#copy = copy;
    this.#lane = lane;
    const last = Math.max(log.lanes[lane]!.end, copy?.lanes[lane]?.end ?? 0);
    const found: Hole[] = [];
    let [prev, end] = ['', last];
    for (let position = 1; position <= last; position += 1) {
      const commit = this.#follows(position, prev);
      if (commit) {
        prev = commit.commitId;
        continue;
      }
      const to = this.#endOfHole(position, prev, last);
      const hole = this.#filled(position, to, prev, lost);
      // A copy that is of another history, or older, has nothing to say about what comes after this log.
      if (hole.remedy === undefined && position > log.lanes[lane]!.end) break;
      found.push(hole);
      if (hole.remedy === 'cut') end = position - 1;
      if (hole.remedy === 'cut' || to === last) break;
      prev = this.#idAt(to, prev);
      position = to;
    }
    this.holes = found;
    this.#end = end;
  }

  /** Streams whose versions do not follow each other in what the lane will be. */
  torn(): readonly TornStream[] {
    const found: TornStream[] = [];
    if (!this.holes.some(({ remedy }) => remedy === 'mark')) return found;
    const versions = new Map<string, number>();
    for (const { tenant, streams } of this.commits())
      for (const { id: stream, before, after } of streams) {
        const known = versions.get(`${tenant}\0${stream}`) ?? 0;
        if (before > known && found.length < mostTorn) found.push({ tenant, stream, from: known + 1, to: before });
        versions.set(`${tenant}\0${stream}`, after);
      }
    return found;
  }

  *commits(): Iterable<StoredCommit> {
    let prev = '';
    for (let position = 1; position <= this.#end; position += 1) {
      const commit = this.#marks.get(position) ?? this.#restored(position, prev) ?? this.#follows(position, prev);
      if (!commit) return;
      yield commit;
      prev = commit.commitId;
    }
  }

  #restored(position: number, prev: string): StoredCommit | undefined {
    const hole = this.holes.find(({ from, to }) => from <= position && position <= to);
    return hole?.remedy === 'restore' ? this.#copy?.at(this.#lane, position, prev) : undefined;
  }

  /** The commit at a position of the log itself, if it names its predecessor. */
  #follows(position: number, prev: string): StoredCommit | undefined {
    const commit = this.#log.at(this.#lane, position, prev);
    return commit?.prev === prev ? commit : undefined;
  }

  /** The id of the commit at the end of a hole, as it will be, or as its successor says. */
  #idAt(to: number, prev: string): string {
    return (
      this.#marks.get(to)?.commitId ??
      this.#log.at(this.#lane, to + 1)?.prev ??
      this.#copy?.at(this.#lane, to)?.commitId ??
      prev
    );
  }

  /** The last position before one that can be read; at the end of the log, the last that the copy can fill. */
  #endOfHole(from: number, prev: string, last: number): number {
    let to = from;
    while (to < last && this.#log.at(this.#lane, to + 1) === undefined) to += 1;
    const filled = to === last ? this.#copyFollows(from, to, prev).position : to;
    return filled < from ? to : filled;
  }

  #filled(from: number, to: number, prev: string, lost: Lost | undefined): Hole {
    const [lane, end] = [this.#lane, this.#log.lanes[this.#lane]!.end];
    const next = this.#log.at(lane, to + 1);
    const damaged = this.#log.lanes[lane]!.damaged;
    const reason = damaged.has(from) ? 'damaged' : 'missing';
    const hole = { lane, from, to, reason, behind: Math.max(0, end - to) } as const;
    if (this.#copyHas(from, to, prev, next)) return { ...hole, remedy: 'restore' };
    if (from > end) return { ...hole, remedy: undefined };
    // One that is there and follows another commit than this lane has: whatever it is, it is not lost.
    if (lost === 'mark' && this.#log.at(lane, from)) return { ...hole, remedy: undefined };
    if (lost === 'mark') this.#mark(from, to, prev, next);
    return { ...hole, remedy: lost };
  }

  /** Whether the copy has all of these, between the same neighbours. */
  #copyHas(from: number, to: number, prev: string, next: StoredCommit | undefined): boolean {
    const { position, commitId } = this.#copyFollows(from, to, prev);
    return position === to && (next === undefined || next.prev === commitId);
  }

  /** How far the copy goes on from a commit. */
  #copyFollows(from: number, to: number, prev: string): { readonly position: number; readonly commitId: string } {
    let commitId = prev;
    for (let position = from; position <= to; position += 1) {
      const commit = this.#copy?.at(this.#lane, position, commitId);
      if (commit?.prev !== commitId) return { position: position - 1, commitId };
      commitId = commit.commitId;
    }
    return { position: to, commitId };
  }

  /** Commits without events, which say that others were here. The last of them has the id that its successor names. */
  #mark(from: number, to: number, prev: string, next: StoredCommit | undefined): void {
    const at = next?.at ?? this.#log.at(this.#lane, from - 1)?.at ?? new Date(0).toISOString();
    let before = prev;
    for (let position = from; position <= to; position += 1) {
      const commitId = position === to && next ? next.prev : randomUUID();
      const meta = JSON.stringify({ actor: 'operator', lost: true });
      const place = { lane: this.#lane, position, tenant: lostTenant, commitId, prev: before };
      this.#marks.set(position, { ...place, fingerprint: '', at, meta, streams: [], events: '[]' });
      before = commitId;
    }
  }
}

/** No school: whose commits were lost is not known. */
const lostTenant = '_lost';
