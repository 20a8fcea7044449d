import {
  type Channel,
  ChannelClosed,
  type Heads,
  type History,
  Inbox,
  type Message,
  type Subscribed,
  type Subscription,
} from '@lyceum/channel';
import { checkpointFrom } from '@lyceum/kernel';
import type { Owner } from '../running/task-queue.ts';
import type { Subscriber, Topics } from './topics.ts';

/** What a process reaches others by. */
export interface Reach {
  readonly owner: Owner | undefined;
  readonly lanes: number;
  readonly topics: Topics;
  /** Hands messages to the broker; fails as the way there does. */
  publish(messages: readonly Message[]): Promise<void>;
  /** Asks the owner of a source, as over HTTP. Throws when nobody answers. */
  ask<T>(source: string, question: (history: History) => Promise<T>): Promise<T>;
}

/** Milliseconds between looks at the owner. */
const watchEvery = 2_500;

/** One subscription: the production code's inboxes, on the simulated transport. */
class Feed implements Subscribed, Subscriber {
  readonly #subscription: Subscription;
  readonly #reach: Reach;
  readonly #inboxes = new Map<number, Inbox>();
  readonly #heads = new Map<number, number>();
  #isClosed = false;
  #watcher: NodeJS.Timeout;

  constructor(subscription: Subscription, reach: Reach) {
    this.#subscription = subscription;
    this.#reach = reach;
    if (!this.group) this.assign(Array.from({ length: reach.lanes }, (_, lane) => lane));
    reach.topics.join(this);
    this.#watcher = setTimeout(() => void this.#watch(), watchEvery);
  }

  get owner(): Owner | undefined {
    return this.#reach.owner;
  }

  get source(): string {
    return this.#subscription.source;
  }

  get group(): string | undefined {
    return this.#subscription.mode === 'shared' ? `${this.#subscription.consumer} ${this.source}` : undefined;
  }

  lanes(): readonly number[] {
    return [...this.#inboxes.keys()];
  }

  receive(message: Message): void {
    this.#inboxes.get(message.lane)?.receive(message);
  }

  assign(lanes: readonly number[]): void {
    if (this.#isClosed) return;
    for (const [lane, inbox] of this.#inboxes)
      if (!lanes.includes(lane)) {
        this.#inboxes.delete(lane);
        void inbox.close();
      }
    for (const lane of lanes) if (!this.#inboxes.has(lane)) this.#inboxes.set(lane, this.#open(lane));
  }

  async caughtUp(): Promise<void> {
    if (this.#isClosed) throw new ChannelClosed();
    const lanes = Array.from({ length: this.#reach.lanes }, (_, lane) => lane);
    await Promise.all(lanes.map((lane) => this.#laneCaughtUp(lane)));
  }

  /** As over Kafka: a lane that another process has is caught up when its durable place is. */
  async #laneCaughtUp(lane: number): Promise<void> {
    const { source } = this;
    for (let head: number | undefined; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
      if (this.#isClosed) throw new ChannelClosed();
      try {
        const inbox = this.#inboxes.get(lane);
        if (inbox) return await inbox.caughtUp();
        const now = await this.#ownerHeads();
        head ??= now.heads[lane] ?? Infinity;
        const { position } = checkpointFrom(await this.#subscription.from(lane, now.epoch));
        const [next] = await this.#reach.ask(source, (owner) => owner.backfill(lane, position, 1));
        if (!next || next.position > head) return;
      } catch {
        // The lane went to another process, or the owner cannot be reached now.
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#watcher);
    this.#reach.topics.leave(this);
    await Promise.all(Array.from(this.#inboxes.values(), (inbox) => inbox.close()));
  }

  #open(lane: number): Inbox {
    const { source } = this;
    return new Inbox(
      this.#subscription,
      lane,
      (...where) => this.#reach.ask(source, (owner) => owner.backfill(...where)),
      {
        heads: () => this.#ownerHeads(),
        onDiverged: () => this.#inboxes.forEach((inbox) => inbox.restart()),
      },
    );
  }

  #ownerHeads(): Promise<Heads> {
    return this.#reach.ask(this.source, async (owner) => (await owner.heads?.()) ?? { heads: [] });
  }

  /** As over Kafka: the owner is looked at now and then, so that the loss of a last message is noticed. */
  async #watch(): Promise<void> {
    try {
      const { heads, epoch } = await this.#ownerHeads();
      for (const [lane, inbox] of this.#inboxes) {
        inbox.inEpoch(epoch);
        const head = heads[lane] ?? 0;
        if (head !== inbox.watermark && this.#heads.get(lane) !== head) inbox.recheck();
        this.#heads.set(lane, head);
      }
    } catch {
      // The next look follows.
    }
    if (!this.#isClosed) this.#watcher = setTimeout(() => void this.#watch(), watchEvery);
  }
}

/** The channel of one process, and what it offers to the others. */
export interface ChannelClient extends Channel {
  history(source: string): History | undefined;
}

/** Joins a process to the broker. */
export function channelClient(reach: Reach): ChannelClient {
  const offers = new Map<string, History>();
  const feeds = new Set<Feed>();
  return {
    history: (source) => offers.get(source),
    offer: (source, lanes, backfill, heads) =>
      void offers.set(source, { lanes, backfill, ...(heads ? { heads } : {}) }),
    publish: (messages) => reach.publish(messages),
    subscribe(subscription) {
      const feed = new Feed(subscription, reach);
      feeds.add(feed);
      return feed;
    },
    close: async () => void (await Promise.all(Array.from(feeds, (feed) => feed.close()))),
  };
}
