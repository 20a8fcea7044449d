import { liveDocuments, sqliteDocuments } from '@lyceum/documents';
import { type EventLog, sqliteEventLog } from '@lyceum/eventlog';
import { join } from 'node:path';
import type { Case, Side } from '../measuring/case.ts';
import { coursesOf } from './read-model.ts';
import { appendTo, streams } from '../measuring/workload.ts';

/** Events in the log that is read. */
const events = 20_000;

async function filledLog(folder: string): Promise<EventLog> {
  const log = await sqliteEventLog({ file: join(folder, 'events.db') });
  for (let at = 0; at < events; at += 500)
    await Promise.all(Array.from({ length: 500 }, (_, index) => log.append(appendTo((at + index) % streams))));
  return log;
}

const ours: Side = {
  name: 'our read model, built anew beside the live one',
  async open(folder) {
    const log = await filledLog(folder);
    const documents = await liveDocuments(await sqliteDocuments({ file: join(folder, 'documents.db') }));
    const model = await coursesOf(log, documents);
    await model.built();
    return {
      async round() {
        await model.rebuild();
        return { operations: events };
      },
      async close() {
        await model.close();
        await documents.close();
        await log.close();
      },
    };
  },
};

const reading: Side = {
  name: 'reading the log, nothing else',
  async open(folder) {
    const log = await filledLog(folder);
    return {
      async round() {
        let operations = 0;
        for (let lane = 0; lane < log.lanes; lane += 1)
          for (let after = 0, head = await log.head(lane); after < head;) {
            const commits = await log.readLane(lane, after, 1_024);
            operations += commits.length;
            after = commits.at(-1)!.position;
          }
        return { operations };
      },
      close: () => log.close(),
    };
  },
};

/** How fast a read model is built from the whole log. */
export const rebuildCases: readonly Case[] = [
  { name: 'rebuild, embedded', unit: 'events', sides: [ours, reading], goals: { rate: 50_000 } },
];
