import { setTimeout as delay } from 'node:timers/promises';
import {
  type Consumer,
  type EachBatchPayload,
  type Kafka,
  type KafkaClients,
  type KafkaMessage,
  KafkaSockets,
} from '../kafka-driver.ts';
import type { Followers, Reading } from './followers.ts';
import { Place } from './offset-hint.ts';
import { partOf } from '../records.ts';
import { held, untilRoom } from './room.ts';
import type { KafkaTopics } from '../topics.ts';

/** Milliseconds of one fetch without records. Signs of life to the group follow fetches. */
const fetchWait = 2_400;

/** Milliseconds between signs of life to the group: by one of them a member learns that lanes are divided anew. */
const heartbeat = 2_000;

/** Milliseconds between commits of offsets. */
const commitEvery = 5_000;

/** One member of one consumer group on one topic. Whatever happens to its consumer, it is replaced by a new one. */
export class KafkaReader {
  readonly #sockets = new KafkaSockets();
  readonly #kafka: Kafka;
  readonly #topics: KafkaTopics;
  readonly #reading: Reading;
  readonly #followers: Followers;
  readonly #topic: string;
  readonly #closing = new AbortController();
  readonly #done: Promise<void>;
  #places = new Map<number, Place>();
  #failures = 0;
  #stalledSince: number | undefined;
  #restarts = 0;
  /** Ends the consumer of the moment; the next one follows. */
  #end: (reason?: unknown) => void = () => {};
  #hasTried!: () => void;
  /** Resolves when records are read for the first time, or when the first try failed. */
  readonly tried: Promise<void> = new Promise((resolve) => (this.#hasTried = resolve));

  constructor(clients: KafkaClients, topics: KafkaTopics, reading: Reading, followers: Followers) {
    this.#kafka = clients(this.#sockets);
    this.#topics = topics;
    this.#reading = reading;
    this.#followers = followers;
    this.#topic = topics.events(reading.source);
    this.#done = this.#run();
  }

  /** How often the consumer was replaced. */
  get restarts(): number {
    return this.#restarts;
  }

  /**
   * Followers miss something of the lane: when Kafka has it for some time and does not bring it, or does not know the topic
   * any more, the consumer is replaced. The next one makes a topic that is gone.
   */
  async suspect(lane: number): Promise<void> {
    const place = this.#places.get(lane);
    if (place?.paused) return;
    let reason: unknown = new Error(
      `Kafka brings nothing of lane ${lane} of ${this.#reading.source}: a new consumer takes over`,
    );
    try {
      const end = (await this.#topics.ends(this.#topic)).get(lane) ?? 0n;
      if (place && place.next >= end) return;
    } catch (error) {
      this.#followers.failed(error);
      reason = error;
    }
    this.#stalledSince ??= Date.now();
    if (Date.now() - this.#stalledSince >= this.#reading.stallAfter) this.#end(reason);
  }

  /** Leaves the group after the records in hand. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#end();
    await this.#done;
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      try {
        await this.#topics.ensure(this.#topic, this.#reading.lanes);
        await this.#consume();
      } catch (error) {
        this.#topics.forget(this.#topic);
        this.#failures += 1;
        this.#restarts += 1;
        this.#followers.failed(error);
        this.#hasTried();
        await this.#wait(Math.min(100 * 2 ** this.#failures, 5_000));
      }
    }
  }

  /** The life of one consumer. Throws when it ends for any other reason than `close`. */
  async #consume(): Promise<void> {
    const { group, isShared } = this.#reading;
    const consumer = this.#kafka.consumer({
      // A group of one's own is new each time: nobody waits until the session of the consumer before has ended.
      groupId: isShared ? group : `${group}.${this.#restarts}`,
      maxWaitTimeInMs: fetchWait,
      maxBytesPerPartition: 256 * 1024,
      sessionTimeout: 10_000,
      rebalanceTimeout: 10_000,
      heartbeatInterval: heartbeat,
      allowAutoTopicCreation: false,
      // The loop above is the only one that starts consumers.
      retry: { retries: 4, initialRetryTime: 100, maxRetryTime: 1_000, restartOnFailure: () => Promise.resolve(false) },
    });
    const ended = new Promise<unknown>((resolve) => (this.#end = resolve));
    if (this.#closed) return;
    this.#listen(consumer);
    const committing = setInterval(() => void this.#commit(consumer), commitEvery);
    try {
      await consumer.connect();
      await consumer.subscribe({ topic: this.#topic });
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: this.#reading.lanes,
        eachBatch: (payload) => this.#take(consumer, payload),
      });
      const reason = await ended;
      if (reason !== undefined) throw reason;
    } finally {
      clearInterval(committing);
      await this.#leave(consumer);
    }
  }

  #listen(consumer: Consumer): void {
    const { CRASH, GROUP_JOIN, REBALANCING } = consumer.events;
    consumer.on(CRASH, ({ payload }) => this.#end(payload.error));
    consumer.on(REBALANCING, () => this.#lose());
    consumer.on(GROUP_JOIN, ({ payload }) => {
      this.#lose();
      void this.#begin(consumer, payload.memberAssignment[this.#topic] ?? [], this.#places);
    });
  }

  #lose(): void {
    this.#places = new Map();
    this.#followers.revoked();
  }

  /**
   * Goes to the end of each partition; only then the followers read history, so nothing falls between the two. While the
   * owner is away it goes to the first record that is not known to be handled.
   */
  async #begin(consumer: Consumer, lanes: readonly number[], generation: Map<number, Place>): Promise<void> {
    try {
      const isAway = await this.#followers.isOwnerAway();
      const { group } = this.#reading;
      const from = await (isAway ? this.#topics.kept(this.#topic, group) : this.#topics.ends(this.#topic));
      if (this.#places !== generation || this.#closed) return;
      for (const lane of lanes) {
        const next = from.get(lane) ?? 0n;
        consumer.seek({ topic: this.#topic, partition: lane, offset: String(next) });
        consumer.resume([{ topic: this.#topic, partitions: [lane] }]);
        generation.set(lane, new Place(next));
      }
      this.#failures = 0;
      this.#stalledSince = undefined;
      this.#followers.assigned(lanes.filter((lane) => lane < this.#reading.lanes));
      this.#hasTried();
    } catch (error) {
      this.#end(error);
    }
  }

  async #take(consumer: Consumer, { batch, resolveOffset, isRunning, isStale }: EachBatchPayload): Promise<void> {
    const place = this.#places.get(batch.partition);
    if (!place) return;
    const isOver = () => !isRunning() || isStale() || this.#places.get(batch.partition) !== place;
    const began = performance.now();
    for (const record of batch.messages) {
      if (this.#followers.room(batch.partition) === 0) await held(this.#followers, batch.partition, { began, isOver });
      if (isOver()) return;
      if (this.#followers.room(batch.partition) === 0) return this.#pause(consumer, batch.partition, place);
      this.#read(batch.partition, place, record);
      resolveOffset(record.offset);
    }
    this.#stalledSince = undefined;
  }

  #read(lane: number, place: Place, record: KafkaMessage): void {
    try {
      const message = place.assembler.add(partOf(this.#reading.source, lane, record));
      if (message === 'broken') this.#followers.missed(lane);
      else if (message) this.#followers.receive(lane, message);
      place.record(record.offset, typeof message === 'object' ? message.position : undefined);
    } catch (problem) {
      place.record(record.offset);
      place.assembler.reset();
      this.#followers.unreadable(lane, record, problem);
    }
  }

  /**
   * The partition rests until its followers have room for many again; what was fetched is fetched once more, after the fetch
   * that is under way for other partitions.
   */
  #pause(consumer: Consumer, lane: number, place: Place): void {
    const which = [{ topic: this.#topic, partitions: [lane] }];
    consumer.pause(which);
    place.paused = true;
    const isOurs = (): boolean => this.#places.get(lane) === place;
    void untilRoom(this.#followers, lane, { least: 0.5, isOver: () => !isOurs() }).then(() => {
      place.paused = false;
      if (isOurs()) consumer.resume(which);
    });
  }

  async #commit(consumer: Consumer): Promise<void> {
    if (!this.#reading.isShared) return;
    const offsets = [...this.#places].flatMap(([partition, place]) => {
      const offset = place.handled(this.#followers.watermark(partition));
      return offset === undefined ? [] : [{ topic: this.#topic, partition, offset: String(offset) }];
    });
    // A consumer that misses a hint reads the owner's history.
    if (offsets.length > 0) await consumer.commitOffsets(offsets).catch(() => undefined);
  }

  /** A consumer that does not want to go is left alone: its session ends by itself. */
  async #leave(consumer: Consumer): Promise<void> {
    const gone = this.#commit(consumer).then(() => {
      const leaving = consumer.disconnect();
      // It waits for the fetch under way.
      this.#sockets.cut();
      return leaving;
    });
    await Promise.race([gone, delay(3_000, undefined, { ref: false })]).catch(() => undefined);
    this.#lose();
  }

  async #wait(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }
}
