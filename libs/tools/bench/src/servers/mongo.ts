import { mongodbEventLog } from '@lyceum/eventlog';
import { startMongo } from '@lyceum/testkit';
import { MongoClient } from 'mongodb';
import { randomUUID } from 'node:crypto';
import { type Case, PeerMissing, type Running, type Side } from '../measuring/case.ts';
import { anyStream, appendTo, callers, json } from '../measuring/workload.ts';

/** Callers of the log, and documents of one raw insert. */
const atOnce = 64;

/** Opens a side on a server of its own. */
async function onServer(open: (url: string, name: string) => Promise<Running>): Promise<Running> {
  const server = await startMongo().catch((error: Error) => Promise.reject(new PeerMissing(error.message)));
  const running = await open(server.url, `bench_${randomUUID().slice(0, 8)}`);
  return {
    round: (milliseconds) => running.round(milliseconds),
    async close() {
      await running.close();
      await server.stop();
    },
  };
}

const ours: Side = {
  name: `our log, ${atOnce} callers, one lane`,
  open: () =>
    onServer(async (url, database) => {
      const log = await mongodbEventLog({ url, database, lanes: 1 });
      return {
        async round(milliseconds) {
          const latencies = await callers(atOnce, milliseconds, () => log.append(appendTo(anyStream())));
          return { operations: latencies.length, latencies };
        },
        close: () => log.close(),
      };
    }),
};

/**
 * Documents with all that a commit of one event holds, and no fields but those that the log keeps apart on FerretDB: what
 * the server does without a log around it. A collection for each round, as the log begins new ones.
 */
const raw: Side = {
  name: `raw ordered inserts of ${atOnce}`,
  goal: { atLeast: 0.5 },
  open: () =>
    onServer(async (url, name) => {
      const client = new MongoClient(url, { retryWrites: false });
      const database = client.db(name);
      let made = 0;
      return {
        async round(milliseconds) {
          const documents = database.collection<{ _id: string; prev: string; text: string }>(`raw_${(made += 1)}`, {
            writeConcern: { w: 'majority', journal: true },
          });
          let position = 0;
          const document = () => {
            const { tenant, commitId, at, meta, events } = appendTo(anyStream());
            const head = JSON.stringify([tenant, commitId, '', at, [events[0]!.stream, 0, 1]]);
            const text = `${head}\n${JSON.stringify(meta)}\n${events[0]!.type} ${json}`;
            return { _id: String((position += 1)).padStart(16, '0'), prev: commitId, text };
          };
          await callers(1, milliseconds, () => documents.insertMany(Array.from({ length: atOnce }, document)));
          return { operations: position };
        },
        close: () => client.close(),
      };
    }),
};

/** Appends to the log on a MongoDB-wire server beside what that server can do. */
export const mongoCases: readonly Case[] = [
  { name: `append on a MongoDB-wire server, ${atOnce} at once`, unit: 'events', sides: [ours, raw] },
];
