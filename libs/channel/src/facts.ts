import type { Backfill, Fact, Message } from './port.ts';

/** An event of the owner's log, as far as crossing facts need it. */
export interface SourceEvent {
  readonly id: string;
  readonly type: string;
  readonly schema: number;
  readonly stream: string;
  readonly version: number;
  readonly data: unknown;
}

/** A commit of the owner's log, as far as crossing facts need it. */
export interface SourceCommit {
  readonly lane: number;
  readonly position: number;
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
export type Cross<Event = SourceEvent> = (event: Event, at: string) => Fact | undefined;

type EventOf<Commit extends SourceCommit> = Commit['events'][number];

/**
 * The messages of contiguous commits of one lane; commits without facts give none. `previous` is the position of the last
 * message before these commits (0 at first); the one returned belongs to the commits that follow.
 */
export function messagesOf<Commit extends SourceCommit>(
  source: string,
  commits: readonly Commit[],
  previous: number,
  cross: Cross<EventOf<Commit>>,
): { readonly messages: readonly Message[]; readonly previous: number } {
  const messages: Message[] = [];
  let last = previous;
  for (const { lane, position, tenant, at, events, meta } of commits) {
    const facts = events.map((event: EventOf<Commit>) => cross(event, at)).filter((fact) => fact !== undefined);
    if (facts.length === 0) continue;
    const trace = meta?.traceparent === undefined ? {} : { traceparent: meta.traceparent };
    const arrived = meta?.arrived === undefined ? {} : { arrived: meta.arrived };
    messages.push({ source, lane, position, previous: last, tenant, at, facts, ...arrived, ...trace });
    last = position;
  }
  return { messages, previous: last };
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

/** Commits read from the log at once. */
const stride = 200;

/**
 * The history of a source, read from its log up to the head at the time of the call. The first message of a page names
 * the position asked for as its previous one: nothing with facts lies between, and whoever asks has everything up to there.
 * Throws `HistoryDiverged` for a position beyond the head.
 */
export function backfillOf<Commit extends SourceCommit>(
  source: string,
  log: SourceLog<Commit>,
  cross: Cross<EventOf<Commit>>,
): Backfill {
  return async (lane, after, limit) => {
    const head = await log.head(lane);
    if (after > head) throw new HistoryDiverged(source, lane, after, head);
    const found: Message[] = [];
    let previous = after;
    for (let at = after; at < head && found.length < limit;) {
      const commits = await log.readLane(lane, at, Math.min(stride, head - at));
      const last = commits.at(-1);
      if (!last)
        throw new Error(`${source} lane ${lane} gives nothing after position ${at} although its head is ${head}`);
      const next = messagesOf(source, commits, previous, cross);
      found.push(...next.messages);
      previous = next.previous;
      at = last.position;
    }
    return found.slice(0, limit);
  };
}
