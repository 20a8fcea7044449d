import { afterEach, describe, expect, test } from '@jest/globals';
import { type Document, Long, Timestamp } from 'mongodb';
import { type MongoConnection, openMongo } from './mongodb-connection.ts';
import { inTime } from './mongodb-time.ts';
import { type ReplyingServer, replyingServer } from './testing/replying-server.ts';

const at = (t: number) => new Timestamp({ t, i: 1 });
const empty = { cursor: { id: Long.ZERO, ns: 'lyceum.things', firstBatch: [] } };

describe('operations of a process after an election', () => {
  let server: ReplyingServer | undefined;
  let connection: MongoConnection | undefined;
  afterEach(async () => {
    await connection?.release();
    await server?.close();
  });

  /** Opens a connection to a server that tells these times of its operations, one after the other. */
  const things = async (times: (number | undefined)[]) => {
    server = await replyingServer((command: Document) => {
      const time = times.shift();
      return { ...(command['find'] ? empty : { n: 1 }), ...(time === undefined ? {} : { operationTime: at(time) }) };
    });
    connection = await openMongo({ url: server.url });
    return connection.database('lyceum').collection<{ _id: string }>('things');
  };
  const asked = () => server!.asked.map(({ readConcern }) => readConcern as Document | undefined);

  test('E-C1: see what the operations before them have written and seen, of whatever part of it', async () => {
    const records = await things([5, 7, 6, 8]);
    const other = (await openMongo({ url: server!.url })) satisfies MongoConnection;
    await records.insertOne({ _id: 'a' }, inTime());
    await records.findOne({ _id: 'a' }, inTime());
    // A server behind the others does not take back what was seen.
    await other.database('elsewhere').collection('things').find({}, inTime()).toArray();
    await records.find({}, inTime()).toArray();
    expect(asked()).toEqual([
      undefined,
      { level: 'majority', afterClusterTime: at(5) },
      { level: 'majority', afterClusterTime: at(7) },
      { level: 'majority', afterClusterTime: at(7) },
    ]);
    await other.release();
  });

  test('ask a server that tells no time of an operation as ever', async () => {
    const records = await things([undefined, undefined]);
    await records.findOne({ _id: 'a' }, inTime());
    await records.findOne({ _id: 'a' }, inTime());
    expect(asked()).toEqual([{ level: 'majority' }, { level: 'majority' }]);
  });
});
