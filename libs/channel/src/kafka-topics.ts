import { setTimeout as delay } from 'node:timers/promises';
import type { Admin, Kafka } from './kafka-driver.ts';

/** How topics are made. */
export interface TopicOptions {
  /** Beginning of every topic and group, so that installations may share brokers. Default: none. */
  readonly prefix?: string;
  /** Copies of each topic; the brokers' own default when not given. */
  readonly replicationFactor?: number;
  /** Milliseconds that records are kept. Default 7 days: what is older is read from the owner. */
  readonly retention?: number;
}

/** A commit may have 1 MB, and its envelope comes on top. */
const largestBatch = 4 * 1024 * 1024;

const week = 7 * 24 * 3_600_000;

/** The topics of a channel: made when missing, measured when asked. */
export class KafkaTopics {
  readonly #admin: Admin;
  readonly #options: TopicOptions;
  readonly #ensured = new Map<string, Promise<void>>();
  #connected: Promise<void> | undefined;

  constructor(kafka: Kafka, options: TopicOptions) {
    this.#admin = kafka.admin();
    this.#options = options;
  }

  /** The topic of a service's facts. */
  events(source: string): string {
    return `${this.#options.prefix ?? ''}${source}.events`;
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
  async ends(topic: string): Promise<ReadonlyMap<number, bigint>> {
    await this.#connect();
    const offsets = await patiently(() => this.#admin.fetchTopicOffsets(topic));
    return new Map(offsets.map(({ partition, high }) => [partition, BigInt(high)]));
  }

  close(): Promise<void> {
    return this.#admin.disconnect();
  }

  async #make(topic: string, partitions: number): Promise<void> {
    await this.#connect();
    if (!(await this.#admin.listTopics()).includes(topic)) {
      const { replicationFactor = -1, retention = week } = this.#options;
      const configEntries = [
        { name: 'cleanup.policy', value: 'delete' },
        { name: 'retention.ms', value: String(retention) },
        { name: 'max.message.bytes', value: String(largestBatch) },
      ];
      // False when another process was faster.
      await this.#admin.createTopics({
        topics: [{ topic, numPartitions: partitions, replicationFactor, configEntries }],
      });
    }
    const { topics } = await patiently(() => this.#admin.fetchTopicMetadata({ topics: [topic] }));
    if ((topics[0]?.partitions.length ?? 0) < partitions)
      await this.#admin.createPartitions({ topicPartitions: [{ topic, count: partitions }] });
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
