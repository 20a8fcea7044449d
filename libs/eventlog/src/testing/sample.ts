import { randomUUID } from 'node:crypto';
import type { Append, Commit, EventLog, NewEvent } from '../port.ts';

/** A log under test, and how to get rid of it. */
export interface OpenedLog {
  readonly log: EventLog;
  /** Closes the log and opens the same storage again. Absent when nothing outlives the process. */
  readonly reopen?: () => Promise<EventLog>;
  readonly dispose: () => Promise<void>;
  /** Bytes of text that a commit can hold, when the log stores more than it is given. Default: `maxCommitBytes`. */
  readonly room?: number;
}

/** Opens an empty log for one test. */
export type OpenLog = () => Promise<OpenedLog>;

/** Runs a test on a log of its own and disposes of it, whatever happens. */
export const withLog =
  (open: OpenLog, work: (log: EventLog, opened: OpenedLog) => Promise<void>): (() => Promise<void>) =>
  async () => {
    const opened = await open();
    try {
      await work(opened.log, opened);
    } finally {
      await opened.dispose();
    }
  };

/** A valid append of one `Noted` event to stream `note-1` of tenant `school_a`, without expectations. */
export function sampleAppend(change: Partial<Append> = {}): Append {
  return {
    tenant: 'school_a',
    expectations: [],
    events: [noted('note-1')],
    commitId: randomUUID(),
    fingerprint: 'asked',
    at: '2026-01-05T08:00:00.000Z',
    meta: { actor: 'user_1' },
    ...change,
  };
}

/** An event of schema version 1. */
export const noted = (stream: string, text = 'hello'): NewEvent => ({
  stream,
  type: 'Noted',
  schema: 1,
  data: { text },
});

/** A whole lane, read in small pages. */
export async function wholeLane(log: EventLog, lane: number, size = 7): Promise<readonly Commit[]> {
  const commits: Commit[] = [];
  for (;;) {
    const page = await log.readLane(lane, commits.length, size);
    if (page.length === 0) return commits;
    commits.push(...page);
  }
}

/** Tenants that live on different lanes. */
export function tenantsApart(log: EventLog, count: number): readonly string[] {
  const byLane = new Map<number, string>();
  for (let n = 0; byLane.size < count && n < 10_000; n += 1) byLane.set(log.laneOf(`school_${n}`), `school_${n}`);
  return [...byLane.values()].slice(0, count);
}

/** Tenants that share a lane. */
export function tenantsTogether(log: EventLog, count: number): readonly string[] {
  const names = Array.from({ length: 10_000 }, (_, n) => `school_${n}`);
  return names.filter((name) => log.laneOf(name) === log.laneOf('school_0')).slice(0, count);
}
