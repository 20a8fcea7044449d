import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Checkpoint, OtherHistory, checkpointFrom, isSameCommit } from '@lyceum/kernel';
import type { Backfill, Fact, Message } from './port.ts';

/** An event of the owner's log, as far as integration events need it. */
export interface SourceEvent {
  readonly id: string;
  readonly type: string;
  readonly schema: number;
  readonly stream: string;
  readonly version: number;
  readonly data: unknown;
}

/** A commit of the owner's log, as far as integration events need it. */
export interface SourceCommit {
  readonly lane: number;
  readonly position: number;
  /** The commit's id, and that of the one before it in the lane. */
  readonly commitId?: string;
  readonly prev?: string;
  readonly tenant: string;
  readonly at: string;
  readonly events: readonly SourceEvent[];
  readonly meta?: { readonly traceparent?: string; readonly arrived?: string };
}

/** The owner's log, as far as its history is read. */
export interface SourceLog<Commit extends SourceCommit = SourceCommit> {
  readLane(lane: number, after: number, limit: number): Promise<readonly Commit[]>;
  head(lane: number): Promise<number>;
}

/**
 * What of a private event crosses to other services; undefined when nothing does. `at` is the time of its commit. Pure: it
 * is asked again at every backfill.
 */
export type ToFact<Event = SourceEvent> = (event: Event, at: string) => Fact | undefined;

type EventOf<Commit extends SourceCommit> = Commit['events'][number];

/**
 * The messages of contiguous commits of one lane; commits without facts give none. `previous` is where the last message
 * before these commits was (0 at first); the one returned belongs to the commits that follow.
 */
export function messagesOf<Commit extends SourceCommit>(
  source: string,
  commits: readonly Commit[],
  previous: number | Checkpoint,
  toFact: ToFact<EventOf<Commit>>,
): { readonly messages: readonly Message[]; readonly previous: Checkpoint } {
  const messages: Message[] = [];
  let last = checkpointFrom(previous);
  for (const commit of commits) {
    const { lane, position, tenant, at, events, meta } = commit;
    const facts = events.map((event: EventOf<Commit>) => toFact(event, at)).filter((fact) => fact !== undefined);
    if (facts.length === 0) continue;
    const trace = meta?.traceparent === undefined ? {} : { traceparent: meta.traceparent };
    const arrived = meta?.arrived === undefined ? {} : { arrived: meta.arrived };
    const chain = { position, previous: last.position, ...idsOf(commit, last) };
    messages.push({ source, lane, ...chain, tenant, at, facts, ...arrived, ...trace });
    last = { position, commitId: commit.commitId };
  }
  return { messages, previous: last };
}

/** The ids of a commit and of the one before it in the chain, as far as they are known. */
function idsOf({ position, commitId, prev }: SourceCommit, last: Checkpoint): Pick<Message, 'commitId' | 'previousId'> {
  const previousId = last.position === position - 1 ? prev : last.commitId;
  return {
    ...(commitId === undefined ? {} : { commitId }),
    ...(previousId === undefined || last.position === 0 ? {} : { previousId }),
  };
}

/** A reader is ahead of the owner's log, so the log was restored from a backup: positions have come to mean other commits. */
export class HistoryDiverged extends Error {
  override readonly name = 'HistoryDiverged';

  constructor(source: string, lane: number, after: number, head: number) {
    super(
      `${source} lane ${lane} ends at ${head}, but ${after} was read: it was restored, what follows it must be rebuilt`,
    );
  }
}

/** Commits read from the log at once: few where little is wanted, more as long as they have no facts. */
const [shortestStride, stride] = [16, 200];

/**
 * The history of a source, read from its log up to the head at the time of the call. The first message of a page names
 * the position asked for as its previous one: nothing with facts lies between, and the caller has everything up to there.
 * Throws `HistoryDiverged` for a position beyond the head, `OtherHistory` when another commit is at it.
 */
export function backfillOf<Commit extends SourceCommit>(
  source: string,
  log: SourceLog<Commit>,
  toFact: ToFact<EventOf<Commit>>,
): Backfill {
  return async (lane, after, limit, commitId) => {
    const head = await log.head(lane);
    if (after > head) throw new HistoryDiverged(source, lane, after, head);
    const found: Message[] = [];
    if (commitId !== undefined && after === head) await checkEnd(log, lane, after, commitId);
    let previous: Checkpoint = { position: after, commitId };
    let size = Math.min(stride, Math.max(shortestStride, limit));
    for (let at = after; at < head && found.length < limit; size = Math.min(stride, 2 * size)) {
      // A log in this process answers at once: others have their turn before it is asked again.
      if (at > after) await nextTurn();
      const commits = await log.readLane(lane, at, Math.min(size, head - at));
      const last = commits.at(-1);
      if (!last)
        throw new Error(`${source} lane ${lane} gives nothing after position ${at} although its head is ${head}`);
      const [first] = commits;
      if (first && at === after && after > 0) {
        if (!isSameCommit(first.prev, commitId)) throw new OtherHistory(lane, after);
        previous = { position: after, commitId: first.prev };
      }
      const next = messagesOf(source, commits, previous, toFact);
      found.push(...next.messages);
      previous = next.previous;
      at = last.position;
    }
    return found.slice(0, limit);
  };
}

/** Nothing follows that names its predecessor, so the commit itself is looked at. */
async function checkEnd(log: SourceLog, lane: number, position: number, commitId: string): Promise<void> {
  if (position === 0) return;
  const [commit] = await log.readLane(lane, position - 1, 1);
  if (!isSameCommit(commit?.commitId, commitId)) throw new OtherHistory(lane, position);
}
