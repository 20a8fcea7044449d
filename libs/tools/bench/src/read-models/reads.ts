import { sqliteEventLog } from '@lyceum/eventlog';
import { openDatabase } from '@lyceum/sqlite';
import { join } from 'node:path';
import type { Case, Running, Side } from '../measuring/case.ts';
import { appendTo, json } from '../measuring/workload.ts';

/** Events of a stream, and streams; written in turns, so that no two events of a stream are neighbours. */
const length = 100;
const streams = 200;

/** Reads streams one after the other until the time is over. */
async function reading(milliseconds: number, load: (stream: number) => unknown): Promise<{ operations: number }> {
  let read = 0;
  for (const end = performance.now() + milliseconds; performance.now() < end; read += 1) await load(read % streams);
  return { operations: read * length };
}

const ours: Side = {
  name: 'our log, each event parsed',
  async open(folder): Promise<Running> {
    const file = join(folder, 'events.db');
    const written = await sqliteEventLog({ file });
    for (let round = 0; round < length; round += 1)
      await Promise.all(Array.from({ length: streams }, (_, stream) => written.append(appendTo(stream))));
    // Opened again: everything is read from the file.
    await written.close();
    const log = await sqliteEventLog({ file });
    const asked = Array.from({ length: streams }, (_, stream) => appendTo(stream));
    return {
      round: (milliseconds) =>
        reading(milliseconds, async (stream) => {
          const { tenant, events } = asked[stream]!;
          const { commits } = await log.load(tenant, [events[0]!.stream]);
          return commits.reduce((count, commit) => count + commit.events.length, 0);
        }),
      close: () => log.close(),
    };
  },
};

const engine: Side = {
  name: 'engine, indexed rows, each parsed',
  async open(folder): Promise<Running> {
    const database = await openDatabase(join(folder, 'engine.db'), { durable: true });
    database.exec('CREATE TABLE events (stream INTEGER NOT NULL, version INTEGER NOT NULL, data TEXT NOT NULL)');
    database.exec('CREATE UNIQUE INDEX of_stream ON events (stream, version)');
    const insert = database.prepare('INSERT INTO events (stream, version, data) VALUES (?, ?, ?)');
    database.transaction(() => {
      for (let version = 1; version <= length; version += 1)
        for (let stream = 0; stream < streams; stream += 1) insert.run(stream, version, json);
    });
    const select = database.prepare<{ data: string }>('SELECT data FROM events WHERE stream = ? ORDER BY version');
    return {
      round: (milliseconds) =>
        reading(milliseconds, (stream) => select.all(stream).map(({ data }) => JSON.parse(data) as unknown)),
      close: async () => database.close(),
    };
  },
};

/** Reading the streams that decisions are made on. */
export const readCases: readonly Case[] = [
  { name: `load a stream of ${length} events`, unit: 'events', sides: [ours, engine] },
];
