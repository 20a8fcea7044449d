import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Kafka, Partitioners, logLevel } from 'kafkajs';
import type { BackingServer } from '../backing-server.ts';
import { describeEngines } from '../describe-engines.ts';
import { pingKafka } from '../wire-ping.ts';

const topic = 'catalog.events';

await describeEngines(
  'kafka',
  (engine) => {
    let server: BackingServer;
    let kafka: Kafka;
    beforeAll(async () => {
      server = await engine.start();
      kafka = new Kafka({ brokers: [server.url], logLevel: logLevel.NOTHING, retry: { initialRetryTime: 50 } });
    }, 300_000);
    afterAll(() => server.stop(), 60_000);

    async function publish(values: readonly string[], retries = 10): Promise<void> {
      const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner, retry: { retries } });
      await producer.connect();
      const messages = values.map((value) => ({ value, partition: 1, headers: { ce_id: value } }));
      await producer.send({ topic, acks: -1, messages });
      await producer.disconnect();
    }

    /** Offsets, ids and values of a partition from its beginning, read by a group. */
    async function read(groupId: string, count: number): Promise<string[]> {
      const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 100 });
      await consumer.connect();
      await consumer.subscribe({ topic, fromBeginning: true });
      const seen: string[] = [];
      await new Promise<void>((resolve, reject) => {
        const eachMessage = async ({ partition, message }: { partition: number; message: Message }) => {
          seen.push(`${partition}/${message.offset} ${message.headers?.['ce_id']} ${message.value}`);
          if (seen.length === count) resolve();
        };
        consumer.run({ eachMessage }).catch(reject);
      });
      await consumer.disconnect();
      return seen;
    }

    test('a topic is made on request only, with the partitions that were asked for', async () => {
      await expect(publish(['too early'], 0)).rejects.toThrow('does not host this topic-partition');
      const admin = kafka.admin();
      await admin.connect();
      expect(await admin.createTopics({ topics: [{ topic, numPartitions: 2 }] })).toBe(true);
      const [created] = (await admin.fetchTopicMetadata({ topics: [topic] })).topics;
      expect(created?.partitions.map(({ partitionId }) => partitionId).toSorted()).toEqual([0, 1]);
      await admin.disconnect();
    }, 60_000);

    test('messages are still there, in order, after SIGKILL and a restart on the same port', async () => {
      await publish(['a', 'b']);
      await server.kill();
      await server.restart();
      await publish(['c']);
      expect(await read('after', 3)).toEqual(['1/0 a a', '1/1 b b', '1/2 c c']);
    }, 120_000);

    test('a paused broker does not answer and a resumed one does', async () => {
      const port = Number(server.url.split(':')[1]);
      await server.pause();
      expect(await pingKafka(port)).toBe(false);
      await server.resume();
      expect(await read('resumed', 3)).toHaveLength(3);
    }, 60_000);
  },
  ({ origin }) => origin !== 'given',
);

interface Message {
  readonly offset: string;
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, unknown>>;
}
