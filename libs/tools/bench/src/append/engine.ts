import { openDatabase } from '@lyceum/sqlite';
import { join } from 'node:path';
import type { Goal, Side } from '../measuring/case.ts';
import { anyStream, json, streams } from '../measuring/workload.ts';

/**
 * The embedded engine by itself: one row for an event, an index on (stream, version), `size` rows in a transaction. WAL,
 * synchronous = FULL, and our settings of cache and checkpoint.
 */
export const engineSide = (size: number, goal?: Goal): Side => ({
  name: size === 1 ? 'engine, single commits' : `engine, groups of ${size}`,
  ...(goal && { goal }),
  async open(folder) {
    const database = await openDatabase(join(folder, 'engine.db'), { durable: true });
    database.exec(`CREATE TABLE events (
      position INTEGER PRIMARY KEY, stream INTEGER NOT NULL, version INTEGER NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL
    ); CREATE UNIQUE INDEX of_stream ON events (stream, version)`);
    const insert = database.prepare('INSERT INTO events (stream, version, type, data) VALUES (?, ?, ?, ?)');
    const versions = new Int32Array(streams);
    return {
      async round(milliseconds) {
        let operations = 0;
        for (const end = performance.now() + milliseconds; performance.now() < end; operations += size) {
          database.begin();
          for (let row = 0; row < size; row += 1) {
            const stream = anyStream();
            versions[stream]! += 1;
            insert.run(stream, versions[stream]!, 'CourseDescribed', json);
          }
          database.commit();
        }
        return { operations };
      },
      close: async () => database.close(),
    };
  },
});
