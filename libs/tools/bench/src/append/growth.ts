import { ConcurrencyConflict, type EventLog, sqliteEventLog } from '@lyceum/eventlog';
import { join } from 'node:path';
import type { Case, Side } from '../measuring/case.ts';
import { appendTo, callers } from '../measuring/workload.ts';

/** Events of a log before it is measured; the smallest has enough streams that none becomes long in a run. */
const [small, large, largest] = [100_000, 1_000_000, 10_000_000];
/** Events of a stream, as of a grant that was refreshed a few times; streams of a school; callers of a round. */
const [length, streamsOfSchool, connections] = [10, 1_000, 64];
/** Events of one append while a log is filled, and appends at once. */
const [together, step] = [10, 200];
/** Of the rate of the smallest log that the largest must reach: look-ups in trees that are a few levels deeper. */
const atLeast = 0.5;

const count = (value: number): string => value.toLocaleString('en');
const data = { jti: 'x'.repeat(22), hash: 'y'.repeat(43), at: 1_767_600_000 };
const nameOf = (stream: number): string => `grant-0197f3a0-0000-7000-8000-${String(stream).padStart(12, '0')}`;
const schoolOf = (stream: number): string => `school_${Math.floor(stream / streamsOfSchool)}`;

/** One event for each of some streams of one school. */
const refreshed = (streams: readonly number[], version?: number): Parameters<EventLog['append']>[0] => ({
  ...appendTo(0),
  tenant: schoolOf(streams[0]!),
  expectations: version === undefined ? [] : [{ stream: nameOf(streams[0]!), version }],
  events: streams.map((stream) => ({ stream: nameOf(stream), type: 'TokensRefreshed', schema: 1, data })),
});

/** Streams grow in turns: no two events of one are neighbours. */
async function fill(log: EventLog, streams: number): Promise<void> {
  const neighbours = Array.from({ length: together }, (_, index) => index);
  for (let round = 0; round < length; round += 1)
    for (let from = 0; from < streams; from += together * step) {
      const firsts = Array.from({ length: step }, (_, index) => from + index * together);
      const appends = firsts.filter((first) => first < streams).map((first) => neighbours.map((next) => first + next));
      await Promise.all(appends.map((each) => log.append(refreshed(each))));
    }
}

/** Reads any stream of a log and adds an event to it, if nobody else has meanwhile. */
const logOf = (events: number): Side => ({
  name: `a log of ${count(events)} events`,
  async open(folder) {
    const log = await sqliteEventLog({ file: join(folder, 'events.db') });
    const streams = events / length;
    await fill(log, streams);
    const command = async (): Promise<void> => {
      const stream = Math.floor(Math.random() * streams);
      const name = nameOf(stream);
      const { heads } = await log.load(schoolOf(stream), [name]);
      await log.append(refreshed([stream], heads[name]!)).catch((error: unknown) => {
        if (!(error instanceof ConcurrencyConflict)) throw error;
      });
    };
    return {
      async round(milliseconds) {
        const latencies = await callers(connections, milliseconds, command);
        return { operations: latencies.length, latencies };
      },
      close: () => log.close(),
    };
  },
});

const beside = (events: number): Side => ({ ...logOf(events), goal: { atLeast } });

/** What a command costs in a log that has grown, with its schools, streams and events, beside a small one. */
export const growthCases = (isLong: boolean): readonly Case[] => [
  {
    name: 'growth, a command on any stream',
    unit: 'commands',
    sides: isLong ? [logOf(largest), beside(large), beside(small)] : [logOf(large), beside(small)],
  },
];
