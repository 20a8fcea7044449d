import { liveDocuments, sqliteDocuments } from '@lyceum/documents';
import { sqliteEventLog } from '@lyceum/eventlog';
import { join } from 'node:path';
import type { Case, Side } from '../measuring/case.ts';
import { courses, coursesOf, source } from './read-model.ts';
import { anyStream, appendTo, callers } from '../measuring/workload.ts';

const writers = 64;

/** Longest time that one write may take to be seen, in milliseconds: later is a fault, not a figure. */
const patience = 10_000;

/** Writers that each wait until a reader could see what they wrote. Timed from the commit to the read model. */
const ours: Side = {
  name: `our log and read model, ${writers} writers`,
  async open(folder) {
    const log = await sqliteEventLog({ file: join(folder, 'events.db') });
    const documents = await liveDocuments(await sqliteDocuments({ file: join(folder, 'documents.db') }));
    const model = await coursesOf(log, documents);
    await model.built();
    return {
      async round(milliseconds) {
        const latencies: number[] = [];
        await callers(writers, milliseconds, async () => {
          const { commit } = await log.append(appendTo(anyStream()));
          const committed = performance.now();
          if (!(await documents.waitFor(courses.collection, source, commit.lane, commit.position, patience)))
            throw new Error(`position ${commit.position} of lane ${commit.lane} was not projected`);
          latencies.push(performance.now() - committed);
        });
        return { operations: latencies.length, latencies };
      },
      async close() {
        await model.close();
        await documents.close();
        await log.close();
      },
    };
  },
};

/** How long after its commit an event is in the read model. */
export const projectedCases: readonly Case[] = [
  { name: 'commit to projected, embedded', unit: 'writes seen', sides: [ours], goals: { p50: 2, p99: 15 } },
];
