import { setTimeout as delay } from 'node:timers/promises';
import { atMoments, checkpointFrom } from '@lyceum/kernel';
import { Inbox } from '../../inbox/inbox.ts';
import type { InboxOptions } from '../../inbox/inbox-options.ts';
import type { KafkaReader } from './reader.ts';
import { ChannelClosed, type History, type Message, type Subscribed, type Subscription } from '../../port.ts';

/** How a feed waits, and what it calls when something goes wrong. */
export interface FeedOptions extends Omit<InboxOptions, 'idle'> {
  /** Milliseconds between looks at the owner for lanes on which nothing came. */
  readonly watchEvery: number;
}

/** Messages that wait for a slow handler before Kafka is told to wait. */
const mostWaiting = 500;

/** Milliseconds that catching up waits for Kafka; after that the owner's history alone has to do. */
const patience = 5_000;

const [yes, no] = [() => true, () => false];

/** One subscription: an inbox for each lane that this process has. In mode `each` it has all, from the start. */
export class KafkaFeed implements Subscribed {
  readonly subscription: Subscription;
  readonly #options: FeedOptions;
  readonly #onClose: (feed: KafkaFeed) => Promise<void>;
  readonly #closing = new AbortController();
  readonly #inboxes = new Map<number, Inbox>();
  /** The head of each lane up to which the owner was seen to have nothing new. */
  readonly #checked = new Map<number, number>();
  /** The watermark of each lane at the last look. */
  readonly #seen = new Map<number, number>();
  #ending: Promise<unknown> = Promise.resolve();
  #begun: Promise<{ history: History; reader: KafkaReader }>;
  #begin!: (begun: { history: History; reader: KafkaReader }) => void;
  #refuse!: (error: Error) => void;
  #endWatch: (() => void) | undefined;
  #isWatching = false;

  constructor(subscription: Subscription, options: FeedOptions, onClose: (feed: KafkaFeed) => Promise<void>) {
    this.subscription = subscription;
    this.#options = options;
    this.#onClose = onClose;
    this.#begun = new Promise((resolve, reject) => {
      this.#begin = resolve;
      this.#refuse = reject;
    });
    this.#begun.catch(() => undefined);
  }

  get isShared(): boolean {
    return this.subscription.mode === 'shared';
  }

  /** Starts with what the owner says of itself and the reader that brings the rest. */
  begin(history: History, reader: KafkaReader): void {
    if (this.#isClosed) return;
    // Offered again: perhaps with another log.
    if (this.#endWatch) return void this.#headsOf(history).catch(() => undefined);
    if (!this.isShared) this.#open([...Array(history.lanes).keys()], history);
    // All feeds of a process look at one time: an owner is asked once for all of them.
    this.#endWatch = atMoments(this.#options.watchEvery, () => void this.#watch(history, reader));
    this.#begin({ history, reader });
  }

  /** The lanes that are read from now on. Where nothing changed, the history is read once more: something may lie between. */
  async assigned(lanes: readonly number[]): Promise<void> {
    const { history } = await this.#begun;
    if (!this.isShared) return this.#inboxes.forEach((inbox) => inbox.recheck());
    const generation = this.revoked();
    await generation;
    if (generation === this.#ending && !this.#isClosed) this.#open(lanes, history);
  }

  /** In mode `shared` nothing more is handled after the messages in hand. */
  revoked(): Promise<unknown> {
    if (!this.isShared) return this.#ending;
    const ending = [this.#ending, ...[...this.#inboxes.values()].map((inbox) => inbox.close())];
    this.#inboxes.clear();
    this.#checked.clear();
    this.#ending = Promise.all(ending);
    return this.#ending;
  }

  async isOwnerAway(): Promise<boolean> {
    const { history } = await this.#begun;
    return history.heads ? history.heads().then(no, yes) : false;
  }

  /** The part of its places that is free: 1 when nothing waits, 0 when it is full. */
  room(lane: number): number {
    return Math.max(0, 1 - (this.#inboxes.get(lane)?.waiting ?? 0) / mostWaiting);
  }

  receive(lane: number, message: Message): void {
    this.#inboxes.get(lane)?.receive(message);
  }

  missed(lane: number): void {
    this.#inboxes.get(lane)?.recheck();
  }

  /** The position up to which this process handled the lane; 0 when it does not have it. */
  watermark(lane: number): number {
    return this.#inboxes.get(lane)?.watermark ?? 0;
  }

  lanes(): readonly number[] {
    return [...this.#inboxes.keys()];
  }

  async caughtUp(): Promise<void> {
    const { history, reader } = await this.#begun;
    if (!this.isShared) await Promise.race([reader.tried, this.#pause(patience)]);
    const lanes = [...Array(history.lanes).keys()];
    await Promise.all(lanes.map((lane) => this.#laneCaughtUp(lane, history)));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return void (await this.#ending);
    this.#closing.abort();
    this.#endWatch?.();
    this.#refuse(new ChannelClosed());
    const inboxes = [...this.#inboxes.values()].map((inbox) => inbox.close());
    this.#ending = Promise.all([this.#ending, ...inboxes]);
    await this.#ending;
    await this.#onClose(this);
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  #open(lanes: readonly number[], { backfill, heads }: History): void {
    const onDiverged = () => this.#inboxes.forEach((inbox) => inbox.restart());
    const options = { ...this.#options, ...(heads && { heads }), onDiverged };
    for (const lane of lanes) this.#inboxes.set(lane, new Inbox(this.subscription, lane, backfill, options));
  }

  /** Where the owner's lanes end. A follower of an epoch that is over begins anew. */
  async #headsOf(history: History): Promise<readonly number[] | undefined> {
    const now = await history.heads?.();
    for (const inbox of this.#inboxes.values()) inbox.inEpoch(now?.epoch);
    return now?.heads;
  }

  /** A lane that another process has is caught up when its durable watermark is. */
  async #laneCaughtUp(lane: number, history: History): Promise<void> {
    let head: number | undefined;
    for (; ; await this.#pause(100)) {
      if (this.#isClosed) throw new ChannelClosed();
      try {
        const inbox = this.#inboxes.get(lane);
        if (inbox) return await inbox.caughtUp();
        const now = await history.heads?.();
        head ??= now?.heads[lane] ?? Infinity;
        const { position } = checkpointFrom(await this.subscription.from(lane, now?.epoch));
        const [next] = await history.backfill(lane, position, 1);
        if (!next || next.position > head) return;
      } catch (error) {
        // The lane went to another process, or the owner cannot be reached now.
        if (!(error instanceof ChannelClosed)) this.#failed(error, lane);
      }
    }
  }

  /** Looks at the owner for every quiet lane: finds a loss that no later message shows, and a consumer that stands still. */
  async #watch(history: History, reader: KafkaReader): Promise<void> {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const quiet = [...this.#inboxes].filter(([lane, inbox]) => this.#isQuiet(lane, inbox));
    try {
      const heads = await this.#headsOf(history);
      for (const [lane, inbox] of quiet)
        if (await this.#isBehind(lane, inbox, history, heads?.[lane])) {
          inbox.recheck();
          await reader.suspect(lane);
        }
    } catch (error) {
      this.#failed(error, quiet[0]?.[0] ?? 0);
    }
    this.#isWatching = false;
  }

  /** Whether nothing came since the last look and nothing waits. */
  #isQuiet(lane: number, { watermark, waiting }: Inbox): boolean {
    const before = this.#seen.get(lane);
    this.#seen.set(lane, watermark);
    return waiting === 0 && before === watermark;
  }

  /** Whether the owner has facts beyond the watermark; where it was seen to have none up to a head, it is not asked again. */
  async #isBehind(lane: number, inbox: Inbox, history: History, head: number | undefined): Promise<boolean> {
    const known = Math.max(inbox.watermark, this.#checked.get(lane) ?? 0);
    if (head !== undefined && head <= known) return false;
    const [next] = await history.backfill(lane, known, 1);
    if (next) return next.position > inbox.watermark;
    if (head !== undefined) this.#checked.set(lane, head);
    return false;
  }

  #failed(error: unknown, lane: number): void {
    const { consumer, source } = this.subscription;
    this.#options.onError?.(error, { consumer, source, lane });
  }

  async #pause(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }
}
