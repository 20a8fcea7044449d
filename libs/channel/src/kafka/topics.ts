import { setTimeout as delay } from 'node:timers/promises';
import type { Admin, Kafka } from './kafka-driver.ts';
import { eventTopic } from './record-headers.ts';

/** How topics are made. */
export interface TopicOptions {
  /** Beginning of every topic and group, so that installations may share brokers. Default: none. */
  readonly prefix?: string;
  /** Copies of each topic; the brokers' own default when not given. */
  readonly replicationFactor?: number;
  /** Milliseconds that records are kept. Default 7 days: what is older is read from the owner. */
  readonly retention?: number;
}

/** An offset for each partition. */
type Offsets = ReadonlyMap<number, bigint>;

const larger = (one: bigint, other = one): bigint => (other > one ? other : one);

/** A commit may have 1 MB, and its envelope comes on top. */
const largestBatch = 4 * 1024 * 1024;

const week = 7 * 24 * 3_600_000;

/** How the topics of a channel are configured, by the names that Kafka has for it. */
export const topicConfiguration = (retention = week) => ({
  'cleanup.policy': 'delete',
  'retention.ms': retention,
  'max.message.bytes': largestBatch,
});

/** The topics of a channel: made when missing, measured when asked. */
export class KafkaTopics {
  readonly #kafka: Kafka;
  readonly #admin: Admin;
  readonly #options: TopicOptions;
  readonly #ensured = new Map<string, Promise<void>>();
  #connected: Promise<void> | undefined;

  constructor(kafka: Kafka, options: TopicOptions) {
    this.#kafka = kafka;
    this.#admin = kafka.admin();
    this.#options = options;
  }

  /** The topic of a service's facts. */
  events(source: string): string {
    return `${this.#options.prefix ?? ''}${eventTopic(source)}`;
  }

  /** The topic of records of a service that nobody can read. */
  dead(source: string): string {
    return `${this.#options.prefix ?? ''}${source}.dead`;
  }

  /** Makes the topic unless it is there, with at least so many partitions. Any number of processes may do so at once. */
  ensure(topic: string, partitions: number): Promise<void> {
    const before = this.#ensured.get(topic);
    if (before) return before;
    const now = this.#make(topic, partitions);
    this.#ensured.set(topic, now);
    now.catch(() => this.#ensured.delete(topic));
    return now;
  }

  /** Looks again at the next `ensure`: the topic seems to be gone. */
  forget(topic: string): void {
    this.#ensured.delete(topic);
  }

  /** The offset after the last record of each partition. */
  async ends(topic: string): Promise<Offsets> {
    return (await this.#bounds(topic)).ends;
  }

  /** The first offset of each partition from which a group has not committed that everything is handled. */
  async kept(topic: string, groupId: string): Promise<Offsets> {
    const { starts } = await this.#bounds(topic);
    const [known] = await patiently(() => this.#admin.fetchOffsets({ groupId, topics: [topic] }));
    const committed = new Map(known?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)]));
    return new Map([...starts].map(([partition, start]) => [partition, larger(start, committed.get(partition))]));
  }

  /** How many partitions a topic has that has records; 0 for one that is not there, or is empty. */
  async filled(topic: string): Promise<number> {
    await this.#connect();
    if (!(await this.#admin.listTopics()).includes(topic)) return 0;
    const { ends } = await this.#bounds(topic);
    return [...ends.values()].some((end) => end > 0n) ? ends.size : 0;
  }

  close(): Promise<void> {
    return this.#admin.disconnect();
  }

  /** By a client of its own: one that has asked about a topic which is gone since can do nothing at all, not even make it. */
  async #make(topic: string, partitions: number): Promise<void> {
    const admin = this.#kafka.admin();
    await admin.connect();
    try {
      if (!(await admin.listTopics()).includes(topic)) {
        const { replicationFactor = -1, retention } = this.#options;
        const entries = Object.entries(topicConfiguration(retention));
        const configEntries = entries.map(([name, value]) => ({ name, value: String(value) }));
        // False when another process was faster.
        await admin.createTopics({
          topics: [{ topic, numPartitions: partitions, replicationFactor, configEntries }],
        });
      }
      const { topics } = await patiently(() => admin.fetchTopicMetadata({ topics: [topic] }));
      if ((topics[0]?.partitions.length ?? 0) < partitions)
        await admin.createPartitions({ topicPartitions: [{ topic, count: partitions }] });
    } finally {
      await admin.disconnect();
    }
  }

  async #bounds(topic: string): Promise<{ readonly starts: Offsets; readonly ends: Offsets }> {
    await this.#connect();
    const offsets = await patiently(() => this.#admin.fetchTopicOffsets(topic));
    const by = (bound: 'low' | 'high') => new Map(offsets.map((each) => [each.partition, BigInt(each[bound])]));
    return { starts: by('low'), ends: by('high') };
  }

  #connect(): Promise<void> {
    this.#connected ??= this.#admin.connect().catch((error: unknown) => {
      this.#connected = undefined;
      throw error;
    });
    return this.#connected;
  }
}

/** A topic or partition that is new, or moves, is unknown or has no leader for a moment; the driver looks again at the next call. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await ask();
    } catch (error) {
      if (tries === 8) throw error;
      await delay(50 * tries);
    }
}
