import { jsonCopy } from '@lyceum/kernel';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { InboxOptions } from '../inbox/inbox-options.ts';
import type { KafkaCounts } from './counts.ts';
import { type KafkaClients, type KafkaConnection, type KafkaMessage, kafkaClients } from './kafka-driver.ts';
import { KafkaFeed } from './reading/feed.ts';
import { LateHistory } from './reading/late-history.ts';
import { KafkaPublisher } from './publisher.ts';
import type { Followers } from './reading/followers.ts';
import { KafkaReader } from './reading/reader.ts';
import { KafkaTopics, type TopicOptions } from './topics.ts';
import {
  type Backfill,
  type Channel,
  ChannelClosed,
  type Heads,
  type History,
  type Message,
  type Subscribed,
  type Subscription,
} from '../port.ts';

/** How a channel reaches Kafka and the owners of facts. */
export interface KafkaChannelOptions extends KafkaConnection, TopicOptions, Omit<InboxOptions, 'idle'> {
  /**
   * The history of a source that is not offered in this process, e.g. over HTTP; undefined when there is none, then the
   * subscription waits for the offer. A rejection is tried again.
   */
  readonly history?: (source: string) => Promise<History | undefined> | History | undefined;
  /** Milliseconds between looks at the owner for lanes on which nothing came. Default 5,000. */
  readonly watchEvery?: number;
  /** Milliseconds that records may lie in Kafka unread before the consumer is replaced. Default 20,000. */
  readonly stallAfter?: number;
  /** Called with what is wrong with Kafka itself; the channel goes on by itself. */
  readonly onTrouble?: (error: unknown, source: string) => void;
}

/** A channel through Kafka. */
export interface KafkaChannel extends Channel {
  counts(): KafkaCounts;
}

/** A reader and the subscriptions that it feeds. */
interface Line {
  readonly reader: KafkaReader;
  readonly feeds: Set<KafkaFeed>;
}

/**
 * A channel through Kafka: topic `<source>.events`, partition = lane, a CloudEvent for each fact. Kafka is transport
 * only: a subscription begins with the owner's history, then lives on what Kafka brings; what Kafka loses, repeats or
 * rewinds is noticed by position and read from the owner. With Kafka away, `publish` rejects after some tries (the
 * caller repeats the same messages), and followers in mode `each` ask every `watchEvery` what the owner has. Nothing is
 * connected before it is needed. Driver `kafkajs`, loaded here only.
 */
export async function kafkaChannel(options: KafkaChannelOptions): Promise<KafkaChannel> {
  return channelThrough(await kafkaClients(options), options);
}

/** The channel of a driver that is already loaded. */
export const channelThrough = (clients: KafkaClients, options: KafkaChannelOptions): KafkaChannel =>
  new ThroughKafka(clients, options);

class ThroughKafka implements KafkaChannel {
  readonly #clients: KafkaClients;
  readonly #options: KafkaChannelOptions;
  readonly #topics: KafkaTopics;
  readonly #publisher: KafkaPublisher;
  readonly #offers = new Map<string, History>();
  readonly #epochs = new WeakMap<History, string | undefined>();
  readonly #feeds = new Set<KafkaFeed>();
  readonly #lines = new Map<string, Line>();
  /** Groups of mode `each` are this process's own. */
  readonly #own = randomUUID();
  readonly #closing = new AbortController();
  readonly #count = { published: 0, received: 0, unreadable: 0, restarts: 0 };

  constructor(clients: KafkaClients, options: KafkaChannelOptions) {
    const kafka = clients();
    this.#clients = clients;
    this.#options = options;
    this.#topics = new KafkaTopics(kafka, options);
    this.#publisher = new KafkaPublisher(kafka, this.#topics);
  }

  offer(source: string, lanes: number, backfill: Backfill, heads?: () => Promise<Heads>): void {
    this.#open();
    const before = this.#offers.get(source);
    if (before && before.lanes !== lanes)
      throw new RangeError(`${source} is offered with ${before.lanes} lanes, which cannot become ${lanes}`);
    this.#offers.set(source, { lanes, backfill, ...(heads && { heads }) });
    for (const feed of this.#feeds) if (feed.subscription.source === source) this.#begin(feed, this.#offered(source));
  }

  async publish(messages: readonly Message[]): Promise<void> {
    this.#open();
    const [first] = messages;
    if (!first) return;
    const lanes = this.#offers.get(first.source)?.lanes ?? first.lane + 1;
    if (first.lane < 0 || first.lane >= lanes) throw new RangeError(`${first.source} has no lane ${first.lane}`);
    const epoch = first.epoch ?? (await this.#epochOf(first.source));
    await this.#publisher.publish(epoch === undefined ? messages : messages.map((each) => ({ ...each, epoch })), lanes);
    this.#count.published += messages.length;
  }

  subscribe(subscription: Subscription): Subscribed {
    this.#open();
    const options = { ...this.#options, watchEvery: this.#options.watchEvery ?? 5_000 };
    const feed = new KafkaFeed(subscription, options, (closed) => this.#dismiss(closed));
    this.#feeds.add(feed);
    if (this.#offers.has(subscription.source)) this.#begin(feed, this.#offered(subscription.source));
    else void this.#seek(feed);
    return feed;
  }

  counts(): KafkaCounts {
    const restarts = [...this.#lines.values()].reduce((sum, { reader }) => sum + reader.restarts, 0);
    return { ...this.#count, restarts: this.#count.restarts + restarts };
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await Promise.all([...this.#feeds].map((feed) => feed.close()));
    await this.#publisher.close();
    await this.#topics.close();
  }

  /** The offer of the moment, so that a follower stays with a source that restarts. Nothing crosses but JSON. */
  #offered(source: string): History {
    const now = () => this.#offers.get(source)!;
    const backfill: Backfill = async (...args) => jsonCopy(await now().backfill(...args));
    const { lanes, heads } = now();
    return { lanes, backfill, ...(heads && { heads: async () => jsonCopy(await now().heads!()) }) };
  }

  /** Asks for the history of a source elsewhere until it is known. */
  async #seek(feed: KafkaFeed): Promise<void> {
    const { source } = feed.subscription;
    let late: LateHistory | undefined;
    for (let wait = 100; !this.#closing.signal.aborted; wait = Math.min(wait * 2, 5_000)) {
      try {
        const history = await this.#options.history?.(source);
        if (late && history) return late.arrive(history);
        if (history && this.#feeds.has(feed)) this.#begin(feed, history);
        return;
      } catch (error) {
        this.#options.onTrouble?.(error, source);
        late ??= await this.#beginWithout(feed);
      }
      await delay(wait, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }

  /** What Kafka has of a source is followed before the source answers for the first time, where a place in it is kept. */
  async #beginWithout(feed: KafkaFeed): Promise<LateHistory | undefined> {
    const { source, kept } = feed.subscription;
    if (!kept || this.#closing.signal.aborted) return undefined;
    const lanes = await this.#topics.filled(this.#topics.events(source)).catch(() => 0);
    if (lanes === 0 || !this.#feeds.has(feed)) return undefined;
    const late = new LateHistory(source, lanes);
    this.#begin(feed, late);
    return late;
  }

  /** The log epoch that what is published counts in. An offer is of one. */
  async #epochOf(source: string): Promise<string | undefined> {
    const offer = this.#offers.get(source);
    if (!offer?.heads) return undefined;
    if (!this.#epochs.has(offer)) this.#epochs.set(offer, (await offer.heads()).epoch);
    return this.#epochs.get(offer);
  }

  #begin(feed: KafkaFeed, history: History): void {
    const { source, consumer } = feed.subscription;
    const { prefix = '', clientId } = this.#options;
    const group = feed.isShared ? `${prefix}${consumer}.${source}` : `${prefix}${clientId}.${source}.${this.#own}`;
    const line = this.#lines.get(group) ?? this.#line(source, group, history, feed.isShared);
    if (feed.isShared && line.feeds.size > 0 && !line.feeds.has(feed))
      throw new Error(`${consumer} already follows ${source} in this process`);
    line.feeds.add(feed);
    feed.begin(history, line.reader);
  }

  #line(source: string, group: string, { lanes }: History, isShared: boolean): Line {
    const feeds = new Set<KafkaFeed>();
    const reading = { source, lanes, group, isShared, stallAfter: this.#options.stallAfter ?? 20_000 };
    const reader = new KafkaReader(this.#clients, this.#topics, reading, this.#followers(source, group, feeds));
    const line = { reader, feeds };
    this.#lines.set(group, line);
    return line;
  }

  #followers(source: string, group: string, feeds: ReadonlySet<KafkaFeed>): Followers {
    const each = (inform: (feed: KafkaFeed) => unknown) => feeds.forEach((feed) => void inform(feed));
    const failed = (error: unknown) => this.#options.onTrouble?.(error, source);
    return {
      assigned: (lanes) => each((feed) => feed.assigned(lanes).catch(() => undefined)),
      revoked: () => each((feed) => feed.revoked()),
      isOwnerAway: async () => (await [...feeds][0]?.isOwnerAway()) ?? false,
      // One slow follower does not hold up the others: what it cannot take it reads from the owner.
      room: (lane) => (feeds.size === 0 ? 1 : Math.max(...[...feeds].map((feed) => feed.room(lane)))),
      receive: (lane, message) => {
        this.#count.received += 1;
        each((feed) => feed.receive(lane, feeds.size > 1 ? jsonCopy(message) : message));
      },
      missed: (lane) => each((feed) => feed.missed(lane)),
      unreadable: (lane, record, problem) => {
        this.#count.unreadable += 1;
        failed(problem);
        each((feed) => feed.missed(lane));
        void this.#bury(source, lane, record, problem, group).catch(failed);
      },
      watermark: (lane) => Math.min(...[...feeds].map((feed) => feed.watermark(lane))),
      failed,
    };
  }

  #bury(source: string, lane: number, record: KafkaMessage, problem: unknown, group: string): Promise<void> {
    return this.#publisher.bury(source, lane, record, problem instanceof Error ? problem.message : 'unreadable', group);
  }

  /** The reader ends with its last feed. */
  async #dismiss(feed: KafkaFeed): Promise<void> {
    this.#feeds.delete(feed);
    for (const [group, { reader, feeds }] of this.#lines) {
      if (!feeds.has(feed)) continue;
      if (feeds.size === 1) {
        this.#lines.delete(group);
        await reader.close();
        this.#count.restarts += reader.restarts;
      }
      feeds.delete(feed);
    }
  }

  #open(): void {
    if (this.#closing.signal.aborted) throw new ChannelClosed();
  }
}
