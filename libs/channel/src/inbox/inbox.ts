import { type Checkpoint, OtherHistory, checkpointFrom } from '@lyceum/kernel';
import { checkFollows, followingOf, isDoubtful, runOf } from './inbox-chain.ts';
import { InboxQueue } from './inbox-queue.ts';
import { type InboxOptions, type InboxPlace, defaultBackoff } from './inbox-options.ts';
import { type Backfill, ChannelClosed, type Message, type Subscription } from '../port.ts';

/** Messages asked of the owner's history at once. */
const pageSize = 200;

/**
 * One consumer's place in one lane, whatever the transport: it hands each message to the handler once and in order.
 * A message is accepted when previous ≤ watermark < position, dropped when position ≤ watermark; when previous > watermark
 * something was lost, and the owner's history is read until nothing is missing. So is it at the start.
 */
export class Inbox {
  readonly #subscription: Subscription;
  readonly #lane: number;
  readonly #backfill: Backfill;
  readonly #options: InboxOptions;
  readonly #queue = new InboxQueue();
  /** The watermark, and the commit there, where it is known. */
  #at: Checkpoint = { position: 0 };
  #isOther = false;
  #epoch: string | undefined;
  #begun = false;
  #restarts = 0;
  /** It began without the owner: whether its log is in the same epoch is still to be asked. */
  #isAlone = false;
  #isAway = false;
  #behind = true;
  #catchingUp: { resolve: () => void; reject: (error: Error) => void }[] = [];
  #closed = false;
  /** Undefined while there is nothing to do, unless it looks by itself: hundreds of inboxes rest in a process. */
  #running: Promise<void> | undefined;

  constructor(subscription: Subscription, lane: number, backfill: Backfill, options: InboxOptions = {}) {
    this.#subscription = subscription;
    this.#lane = lane;
    this.#backfill = backfill;
    this.#options = options;
    this.#running = this.#run();
  }

  /** Takes a message from the transport; returns at once. */
  receive(message: Message): void {
    if (this.#closed) return;
    if (this.#queue.add(message)) this.#wake();
    else this.recheck();
  }

  /** The position of the last message handled; 0 until the consumer's own is known. */
  get watermark(): number {
    return this.#at.position;
  }

  /** How many messages wait in memory. */
  get waiting(): number {
    return this.#queue.messages.length;
  }

  /** Reads the owner's history soon: for a transport that knows, or fears, that it lost something. */
  recheck(): void {
    this.#behind = true;
    this.#wake();
  }

  /** The owner's log is in this epoch now: in another one than before, everything begins anew. */
  inEpoch(epoch: string | undefined): void {
    if (!this.#begun || epoch === undefined || epoch === this.#epoch) return;
    this.restart();
  }

  /** Begins anew from where the consumer says, as after a change of the owner's log. */
  restart(): void {
    this.#begun = false;
    this.#restarts += 1;
    this.#wake();
  }

  /** Resolves when all that the owner has now is handled. Throws `ChannelClosed` when closed before. */
  caughtUp(): Promise<void> {
    if (this.#closed) return Promise.reject(new ChannelClosed());
    return new Promise((resolve, reject) => {
      this.#catchingUp.push({ resolve, reject });
      this.#wake();
    });
  }

  /** Stops after the message in hand. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.wake();
    await this.#running;
    for (const { reject } of this.#catchingUp.splice(0)) reject(new ChannelClosed());
  }

  get #place(): InboxPlace {
    return { consumer: this.#subscription.consumer, source: this.#subscription.source, lane: this.#lane };
  }

  /** Something is to be done: now, or once what is being done is. */
  #wake(): void {
    this.#queue.wake();
    if (!this.#closed) this.#running ??= this.#run();
  }

  /** Does what there is to do. Between the look that finds nothing and the rest nobody else gets a turn. */
  async #run(): Promise<void> {
    const { idle } = this.#options;
    while (!this.#closed) {
      if (!this.#begun) await this.#untilDone(() => this.#begin());
      else if (this.#behind || this.#catchingUp.length > 0) await this.#untilDone(() => this.#readHistory());
      else if (this.#queue.messages.length > 0) await this.#untilDone(() => this.#next());
      else if (idle === undefined) break;
      else if (await this.#queue.silence(idle)) this.#behind = true;
    }
    this.#running = undefined;
  }

  /** Asks the consumer for its place in the present epoch of the owner's log; messages of an epoch before are forgotten. */
  async #begin(): Promise<void> {
    const restarts = this.#restarts;
    const now = await this.#ask(this.#options.heads).catch((error) => this.#beginAlone(error));
    if (this.#begun) return;
    const kept = await this.#subscription.from(this.#lane, now?.epoch, now?.heads[this.#lane]);
    // Told meanwhile to begin anew: the consumer has forgotten what it went on from.
    if (this.#restarts !== restarts) return;
    const begins = this.#isOther && !this.#subscription.diverged;
    this.#queue.messages.length = 0;
    [this.#at, this.#isOther] = [begins ? { position: 0 } : checkpointFrom(kept), false];
    [this.#epoch, this.#isAlone, this.#behind, this.#begun] = [now?.epoch, false, true, true];
  }

  /** The first waiting messages leave the queue when they are handled or old; a gap in front of them is filled first. */
  async #next(): Promise<void> {
    const [first] = this.#queue.messages;
    if (!first) return;
    if (first.previous > this.watermark || isDoubtful(first, this.#at)) {
      this.#options.onGap?.(this.#place);
      await this.#readHistory();
    } else if (first.position <= this.watermark) this.#options.onDuplicate?.(this.#place);
    this.#queue.done(first, await this.#accept(this.#queue.messages));
  }

  async #readHistory(): Promise<void> {
    if (this.#isAlone) {
      if ((await this.#ask(this.#options.heads))?.epoch !== this.#epoch) return this.restart();
      this.#isAlone = false;
    }
    const asked = this.#catchingUp.length;
    // What is lost from here on needs another look.
    this.#behind = false;
    for (;;) {
      const { position, commitId } = this.#at;
      const page = (await this.#ask(() => this.#backfill(this.#lane, position, pageSize, commitId)))!;
      for (let at = 0; at < page.length;) {
        if (this.#closed || !this.#begun) return;
        at += await this.#accept(page, at);
      }
      if (page.length < pageSize) break;
    }
    for (const { resolve } of this.#catchingUp.splice(0, asked)) resolve();
  }

  /** Hands over a message, and those after it that follow if the consumer takes them so. Returns how many are done with. */
  async #accept(from: readonly Message[], at = 0): Promise<number> {
    const first = from[at];
    if (!first || this.#closed || first.position <= this.watermark) return 1;
    checkFollows(first, this.#at);
    const messages = this.#subscription.handleAll ? runOf(from.slice(at, at + pageSize)) : [first];
    if (this.#subscription.handleAll) await this.#subscription.handleAll(messages);
    else await this.#subscription.handle(first);
    const { position, commitId } = messages.at(-1)!;
    this.#at = { position, commitId };
    return messages.length;
  }

  /** Tries a step until it succeeds, or the epoch that it belongs to ends; a message handled in between means that the trouble before it is over. */
  async #untilDone(step: () => Promise<void>): Promise<void> {
    let failures = 0;
    const begun = this.#begun;
    for (let at = this.watermark; !this.#closed && this.#begun === begun; at = this.watermark) {
      try {
        return await step();
      } catch (error) {
        failures = this.watermark > at ? 1 : failures + 1;
        this.#options.onError?.(error, this.#place);
        if (error instanceof OtherHistory) await this.#diverge();
        await this.#wait((this.#options.backoff ?? defaultBackoff)(failures));
      }
    }
  }

  /** What was handled belongs to another history: the consumer forgets it. When it cannot, the difference is met again. */
  async #diverge(): Promise<void> {
    try {
      await this.#subscription.diverged?.(this.#lane);
    } catch (error) {
      return this.#options.onError?.(error, this.#place);
    }
    this.#isOther = true;
    this.restart();
    this.#options.onDiverged?.();
  }

  async #ask<T>(question: (() => Promise<T>) | undefined): Promise<T | undefined> {
    try {
      const answer = await question?.();
      this.#isAway = false;
      return answer;
    } catch (error) {
      this.#isAway = !(error instanceof OtherHistory);
      throw error;
    }
  }

  /** The owner cannot be asked: it goes on from what the consumer kept. Throws the reason when it kept nothing. */
  async #beginAlone(reason: unknown): Promise<undefined> {
    const restarts = this.#restarts;
    const kept = this.#isOther ? undefined : await this.#subscription.kept?.(this.#lane);
    if (!kept || this.#restarts !== restarts) throw reason;
    [this.#at, this.#isOther] = [kept.at, false];
    [this.#epoch, this.#isAlone, this.#behind, this.#begun] = [kept.epoch, true, true, true];
  }

  /** Waits for the next try. While the owner is away, what follows the watermark is handled; its history gives the rest. */
  async #wait(milliseconds: number): Promise<void> {
    let isFailing = false;
    for (const end = performance.now() + milliseconds; !this.#closed && performance.now() < end;) {
      const before = this.#queue.received;
      if (this.#isAway && this.#begun && !isFailing)
        await this.#takeFollowing().catch((error: unknown) => {
          isFailing = true;
          this.#options.onError?.(error, this.#place);
        });
      if (isFailing || this.#queue.received === before) await this.#queue.silence(end - performance.now());
    }
  }

  async #takeFollowing(): Promise<void> {
    const isOver = ({ position, epoch = this.#epoch }: Message): boolean =>
      position <= this.watermark || epoch !== this.#epoch;
    for (const waiting = this.#queue.messages; ;) {
      while (waiting[0] && isOver(waiting[0])) waiting.shift();
      const following = waiting.slice(0, followingOf(waiting, this.#at, this.#epoch));
      if (following.length === 0 || this.#closed || !this.#begun) return;
      this.#queue.done(following[0], await this.#accept(following));
    }
  }
}
