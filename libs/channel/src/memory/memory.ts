import { jsonCopy, shared } from '@lyceum/kernel';
import { Inbox } from '../inbox/inbox.ts';
import type { InboxOptions } from '../inbox/inbox-options.ts';
import { SharedPages } from './shared-pages.ts';
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

/** One subscription: an inbox for each lane, from the moment its source is offered. */
class Feed implements Subscribed {
  readonly #subscription: Subscription;
  readonly #options: InboxOptions;
  readonly #onClose: (feed: Feed) => void;
  readonly #started: Promise<void>;
  #start!: () => void;
  #refuse!: (error: Error) => void;
  #inboxes: readonly Inbox[] = [];

  constructor(subscription: Subscription, options: InboxOptions, onClose: (feed: Feed) => void) {
    this.#subscription = subscription;
    this.#options = options;
    this.#onClose = onClose;
    this.#started = new Promise((resolve, reject) => {
      this.#start = resolve;
      this.#refuse = reject;
    });
    this.#started.catch(() => {});
  }

  get source(): string {
    return this.#subscription.source;
  }

  /** Begins to read the lanes of the source. */
  begin({ lanes, backfill, heads }: History): void {
    if (this.#inboxes.length > 0) return void this.#look(heads);
    this.#inboxes = Array.from({ length: lanes }, (_, lane) => {
      return new Inbox(this.#subscription, lane, backfill, {
        ...this.#options,
        ...(heads && { heads }),
        onDiverged: () => this.#inboxes.forEach((inbox) => inbox.restart()),
      });
    });
    this.#start();
  }

  /** The source was offered again: perhaps with another log. */
  async #look(heads: History['heads']): Promise<void> {
    const now = await heads?.().catch(() => undefined);
    for (const inbox of this.#inboxes) inbox.inEpoch(now?.epoch);
  }

  receive(message: Message): void {
    this.#inboxes[message.lane]?.receive(message);
  }

  lanes(): readonly number[] {
    return [...this.#inboxes.keys()];
  }

  async caughtUp(): Promise<void> {
    await this.#started;
    await Promise.all(this.#inboxes.map((inbox) => inbox.caughtUp()));
  }

  async close(): Promise<void> {
    this.#onClose(this);
    this.#refuse(new ChannelClosed());
    await Promise.all(this.#inboxes.map((inbox) => inbox.close()));
  }
}

class MemoryChannel implements Channel {
  readonly #options: InboxOptions;
  readonly #offers = new Map<string, History>();
  readonly #pages = new Map<string, SharedPages>();
  readonly #feeds = new Set<Feed>();
  #closed = false;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  offer(source: string, lanes: number, backfill: Backfill, heads?: () => Promise<Heads>): void {
    this.#open();
    const before = this.#offers.get(source);
    if (before && before.lanes !== lanes)
      throw new RangeError(`${source} is offered with ${before.lanes} lanes, which cannot become ${lanes}`);
    this.#offers.set(source, { lanes, backfill, ...(heads && { heads }) });
    const pages = this.#pages.get(source) ?? new SharedPages(() => this.#offers.get(source)!.backfill);
    pages.forget();
    this.#pages.set(source, pages);
    for (const feed of this.#feeds) if (feed.source === source) this.#begin(feed);
  }

  async publish(messages: readonly Message[]): Promise<void> {
    this.#open();
    for (const message of messages) {
      const lanes = this.#offers.get(message.source)?.lanes ?? Infinity;
      if (message.lane < 0 || message.lane >= lanes)
        throw new RangeError(`${message.source} has no lane ${message.lane}`);
      const copy = shared(jsonCopy(message));
      for (const feed of this.#feeds) if (feed.source === message.source) feed.receive(copy);
    }
  }

  subscribe(subscription: Subscription): Subscribed {
    this.#open();
    const feed = new Feed(subscription, this.#options, () => this.#feeds.delete(feed));
    this.#feeds.add(feed);
    if (this.#offers.has(subscription.source)) this.#begin(feed);
    return feed;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#feeds].map((feed) => feed.close()));
  }

  /** The feed asks for the offer of the moment, so that it follows a source that restarts. */
  #begin(feed: Feed): void {
    const now = () => this.#offers.get(feed.source)!;
    feed.begin({
      lanes: now().lanes,
      backfill: this.#pages.get(feed.source)!.backfill,
      heads: async () => (await now().heads?.()) ?? { heads: [] },
    });
  }

  #open(): void {
    if (this.#closed) throw new ChannelClosed();
  }
}

/**
 * A channel inside one process. Every message passes through JSON, once for all who follow: nothing crosses but what JSON can
 * carry, so that no shared object hides a missing contract. A follower changes no message. A subscription first reads the
 * owner's history from the consumer's watermark, then lives on what is published; one that comes before its source waits for the offer.
 */
export const memoryChannel = (options: InboxOptions = {}): Channel => new MemoryChannel(options);
