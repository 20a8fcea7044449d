import type { Kafka, KafkaMessage, KafkaRecord, Producer } from './kafka-driver.ts';
import { recordsOf } from './records.ts';
import { KafkaRequests } from './requests.ts';
import type { KafkaTopics } from './topics.ts';
import type { Message } from '../port.ts';

/** Bytes of values that one request carries at most, but for a single commit that is larger. */
const batchBytes = 512 * 1024;

/** Messages that may wait for Kafka in memory; the log is the outbox, so more are refused. */
const mostWaiting = 10_000;

/**
 * Sends messages with one request in flight per lane, acknowledged by all replicas; lanes share requests. The records of a commit are always
 * in one request, so a partition has all of them or none. Not the driver's idempotent producer: after a failure that one
 * may take a different batch for a repeat, and acknowledge what was never stored; here repeats are dropped by position.
 */
export class KafkaPublisher {
  readonly #producer: Producer;
  readonly #topics: KafkaTopics;
  readonly #tails = new Map<string, Promise<void>>();
  readonly #requests = new Map<string, KafkaRequests>();
  #connected: Promise<void> | undefined;
  #waiting = 0;

  constructor(kafka: Kafka, topics: KafkaTopics) {
    const createPartitioner = () => (args: { message: { partition?: number } }) => args.message.partition ?? 0;
    this.#producer = kafka.producer({ createPartitioner, allowAutoTopicCreation: false, idempotent: false });
    this.#topics = topics;
  }

  /** Resolves when Kafka has all messages of one source and lane; a rejection leaves open which. Calls of a lane follow each other. */
  async publish(messages: readonly Message[], lanes: number): Promise<void> {
    const [first] = messages;
    if (!first) return;
    if (this.#waiting + messages.length > mostWaiting) throw new Error('too many messages wait for Kafka');
    const lane = `${first.source}/${first.lane}`;
    this.#waiting += messages.length;
    const before = this.#tails.get(lane) ?? Promise.resolve();
    const sent = before.then(() => this.#send(this.#topics.events(first.source), messages, lanes));
    const tail = sent.catch(() => undefined);
    this.#tails.set(lane, tail);
    try {
      await sent;
    } finally {
      this.#waiting -= messages.length;
      if (this.#tails.get(lane) === tail) this.#tails.delete(lane);
    }
  }

  /** Keeps a record that nobody can read, with the reason. */
  async bury(source: string, lane: number, record: KafkaMessage, reason: string, consumer: string): Promise<void> {
    const topic = this.#topics.dead(source);
    const why = {
      dead_reason: reason,
      dead_consumer: consumer,
      dead_partition: String(lane),
      dead_offset: record.offset,
    };
    await this.#request(topic, 1, [
      { partition: 0, key: record.key, value: record.value ?? 'null', headers: { ...record.headers, ...why } },
    ]);
  }

  /** Waits for what is in flight. */
  async close(): Promise<void> {
    await Promise.all(this.#tails.values());
    await this.#producer.disconnect();
  }

  async #send(topic: string, messages: readonly Message[], lanes: number): Promise<void> {
    for (const { records, bytes } of batchesOf(messages)) await this.#requestsOf(topic, lanes).add(records, bytes);
  }

  /** The requests of a topic with so many partitions. */
  #requestsOf(topic: string, lanes: number): KafkaRequests {
    const key = `${topic}/${lanes}`;
    const known = this.#requests.get(key) ?? new KafkaRequests((records) => this.#request(topic, lanes, records));
    this.#requests.set(key, known);
    return known;
  }

  async #request(topic: string, partitions: number, records: KafkaRecord[]): Promise<void> {
    try {
      await this.#topics.ensure(topic, partitions);
      await this.#connect();
      await this.#producer.send({ topic, acks: -1, timeout: 10_000, messages: records });
    } catch (error) {
      this.#topics.forget(topic);
      throw error;
    }
  }

  #connect(): Promise<void> {
    this.#connected ??= this.#producer.connect().catch((error: unknown) => {
      this.#connected = undefined;
      throw error;
    });
    return this.#connected;
  }
}

/** Cuts between commits, never within one. */
function* batchesOf(
  messages: readonly Message[],
): Generator<{ readonly records: KafkaRecord[]; readonly bytes: number }> {
  let batch: KafkaRecord[] = [];
  let bytes = 0;
  for (const message of messages) {
    const records = recordsOf(message);
    const size = records.reduce((sum, { value }) => sum + (value?.length ?? 0) + 500, 0);
    if (batch.length > 0 && bytes + size > batchBytes) {
      yield { records: batch, bytes };
      [batch, bytes] = [[], 0];
    }
    batch.push(...records);
    bytes += size;
  }
  if (batch.length > 0) yield { records: batch, bytes };
}
