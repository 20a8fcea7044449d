import { sqliteEventLog } from '@lyceum/eventlog';
import { join } from 'node:path';
import type { Case, Side } from '../measuring/case.ts';
import { observeTurns } from './turns.ts';
import { emmettSide } from './emmett.ts';
import { engineSide } from './engine.ts';
import { anyStream, appendTo, callers } from '../measuring/workload.ts';

/** Our log on disk, `count` callers at once, one event in each append. */
const ours = (count: number): Side => ({
  name: `our log, ${count} ${count === 1 ? 'caller' : 'callers'}`,
  async open(folder) {
    const log = await sqliteEventLog({ file: join(folder, 'events.db') });
    return {
      async round(milliseconds) {
        const latencies = await callers(count, milliseconds, () => log.append(appendTo(anyStream())));
        return { operations: latencies.length, latencies };
      },
      close: () => log.close(),
    };
  },
});

/** The same, of which each round times only the longest turn of the event loop. */
const longestTurn = (count: number): Side => ({
  name: `our log, ${count} callers; timed: the longest turn of the event loop`,
  async open(folder) {
    const running = await ours(count).open(folder);
    return {
      ...running,
      async round(milliseconds) {
        const turns = observeTurns();
        const { operations } = await running.round(milliseconds);
        return { operations, latencies: [turns.longest()] };
      },
    };
  },
});

const goals: Readonly<Record<number, { readonly group: number; readonly single: number; readonly emmett: number }>> = {
  64: { group: 0.7, single: 10, emmett: 10 },
};

/** Appends to the embedded log beside what its engine and a peer can do. */
export const appendCases: readonly Case[] = [
  ...[1, 16, 64, 256].map(besideOthers),
  { name: 'append, stops of the event loop', unit: 'events', sides: [longestTurn(64)], goals: { p99: 10 } },
];

function besideOthers(count: number): Case {
  const goal = goals[count];
  return {
    name: `append, ${count} at once`,
    unit: 'events',
    sides: [
      ours(count),
      engineSide(100, goal && { atLeast: goal.group }),
      engineSide(1, goal && { atLeast: goal.single }),
      emmettSide(1, goal && { atLeast: goal.emmett }),
    ],
    ...(count === 64 && { goals: { p99: 3 } }),
  };
}
