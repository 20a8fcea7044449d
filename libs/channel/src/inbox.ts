import { setTimeout as delay } from 'node:timers/promises';
import { OtherHistory, checkpointFrom, isSameCommit } from '@lyceum/kernel';
import type { InboxOptions, InboxPlace } from './inbox-options.ts';
import { type Backfill, ChannelClosed, type Message, type Subscription } from './port.ts';

/** Messages that wait in memory; beyond, they are forgotten and read from the owner's history instead. */
const mostWaiting = 1_000;

/** Messages asked of the owner's history at once. */
const pageSize = 200;

const defaultBackoff = (failures: number): number => Math.min(50 * 2 ** (failures - 1), 5_000);

/** The owner's history does not connect to the watermark: something in it is missing. Retried, never skipped. */
export class HistoryGap extends Error {
  override readonly name = 'HistoryGap';
}

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
  readonly #waiting: Message[] = [];
  #watermark = 0;
  /** The id of the commit at the watermark, where it is known. */
  #commitId: string | undefined;
  #isOther = false;
  #incarnation: string | undefined;
  #begun = false;
  #behind = true;
  #catchingUp: { resolve: () => void; reject: (error: Error) => void }[] = [];
  readonly #closing = new AbortController();
  #wake: () => void = () => {};
  readonly #done: Promise<void>;

  constructor(subscription: Subscription, lane: number, backfill: Backfill, options: InboxOptions = {}) {
    this.#subscription = subscription;
    this.#lane = lane;
    this.#backfill = backfill;
    this.#options = options;
    this.#done = this.#run();
  }

  /** Takes a message from the transport; returns at once. */
  receive(message: Message): void {
    if (this.#closed) return;
    if (this.#waiting.length >= mostWaiting) {
      this.#waiting.length = 0;
      this.#behind = true;
    } else this.#waiting.push(message);
    this.#wake();
  }

  /** The position of the last message handled; 0 until the consumer's own is known. */
  get watermark(): number {
    return this.#watermark;
  }

  /** How many messages wait in memory. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Reads the owner's history soon: for a transport that knows, or fears, that it lost something. */
  recheck(): void {
    this.#behind = true;
    this.#wake();
  }

  /** The owner's log is in this life now: in another one than before, everything begins anew. */
  lives(incarnation: string | undefined): void {
    if (!this.#begun || incarnation === undefined || incarnation === this.#incarnation) return;
    this.restart();
  }

  /** Begins anew from where the consumer says, as after a change of the owner's log. */
  restart(): void {
    this.#begun = false;
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
    this.#closing.abort();
    this.#wake();
    await this.#done;
  }

  get #place(): InboxPlace {
    const { consumer, source } = this.#subscription;
    return { consumer, source, lane: this.#lane };
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      if (!this.#begun) await this.#untilDone(() => this.#begin());
      else if (this.#behind || this.#catchingUp.length > 0) await this.#untilDone(() => this.#readHistory());
      else if (this.#waiting.length > 0) await this.#untilDone(() => this.#next());
      else await this.#rest();
    }
    for (const { reject } of this.#catchingUp) reject(new ChannelClosed());
  }

  /** Asks the consumer for its place in the present life of the owner's log; messages of a life before are forgotten. */
  async #begin(): Promise<void> {
    const incarnation = await this.#options.incarnation?.();
    const kept = await this.#subscription.from(this.#lane, incarnation);
    const begins = this.#isOther && !this.#subscription.diverged;
    const { position: watermark, commitId } = begins ? { position: 0, commitId: undefined } : checkpointFrom(kept);
    this.#waiting.length = 0;
    [this.#watermark, this.#commitId, this.#isOther] = [watermark, commitId, false];
    [this.#incarnation, this.#behind, this.#begun] = [incarnation, true, true];
  }

  /** The first waiting messages leave the queue when they are handled or old; a gap in front of them is filled first. */
  async #next(): Promise<void> {
    const [first] = this.#waiting;
    if (first!.previous > this.#watermark || this.#isDoubtful(first!)) {
      this.#options.onGap?.(this.#place);
      await this.#readHistory();
    } else if (first!.position <= this.#watermark) this.#options.onDuplicate?.(this.#place);
    const taken = await this.#accept(this.#waiting);
    // Unless the queue was emptied meanwhile.
    if (this.#waiting[0] === first) this.#waiting.splice(0, taken);
  }

  async #readHistory(): Promise<void> {
    const asked = this.#catchingUp.length;
    // What is lost from here on needs another look.
    this.#behind = false;
    for (;;) {
      const page = await this.#backfill(this.#lane, this.#watermark, pageSize, this.#commitId);
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
    if (!first || this.#closed || first.position <= this.#watermark) return 1;
    if (first.previous > this.#watermark)
      throw new HistoryGap(
        `${first.source} lane ${this.#lane} gives nothing from ${this.#watermark} to ${first.previous}`,
      );
    if (first.previous === this.#watermark && !isSameCommit(first.previousId, this.#commitId))
      throw new OtherHistory(this.#lane, this.#watermark);
    const messages = this.#subscription.handleAll ? runOf(from.slice(at, at + pageSize)) : [first];
    if (this.#subscription.handleAll) await this.#subscription.handleAll(messages);
    else await this.#subscription.handle(first);
    const { position, commitId } = messages.at(-1)!;
    [this.#watermark, this.#commitId] = [position, commitId];
    return messages.length;
  }

  /** Tries a step until it succeeds, or the life that it belongs to ends; a message handled in between means that the trouble before it is over. */
  async #untilDone(step: () => Promise<void>): Promise<void> {
    let failures = 0;
    const begun = this.#begun;
    for (let watermark = this.#watermark; !this.#closed && this.#begun === begun; watermark = this.#watermark) {
      try {
        return await step();
      } catch (error) {
        failures = this.#watermark > watermark ? 1 : failures + 1;
        this.#options.onError?.(error, this.#place);
        if (error instanceof OtherHistory) await this.#diverge();
        const wait = (this.#options.backoff ?? defaultBackoff)(failures);
        await delay(wait, undefined, { signal: this.#closing.signal }).catch(() => {});
      }
    }
  }

  /** A message that names a commit before the watermark does not tell whether what is at the watermark is in its history. */
  #isDoubtful({ previous, position, previousId }: Message): boolean {
    const isKnown = previousId !== undefined && this.#commitId !== undefined;
    return isKnown && previous < this.#watermark && position > this.#watermark;
  }

  /** What was handled belongs to another history: the consumer forgets it. When it cannot, the difference is met again. */
  async #diverge(): Promise<void> {
    try {
      await this.#subscription.diverged?.(this.#lane);
      this.#isOther = true;
      this.restart();
      this.#options.onDiverged?.();
    } catch (error) {
      this.#options.onError?.(error, this.#place);
    }
  }

  /** Waits until something arrives, or the idle time is over and the history is due. */
  async #rest(): Promise<void> {
    const { idle } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const silent = await new Promise<boolean>((resolve) => {
      this.#wake = () => resolve(false);
      if (idle !== undefined) timer = setTimeout(resolve, idle, true);
    });
    clearTimeout(timer);
    if (silent) this.#behind = true;
  }
}

/** The first messages, up to where one does not follow the one before. */
function runOf(messages: readonly Message[]): readonly Message[] {
  const end = messages.findIndex(({ previous, position, previousId }, index) => {
    const before = messages[index - 1];
    if (!before) return false;
    const isOther = previous === before.position && !isSameCommit(previousId, before.commitId);
    return previous > before.position || position <= before.position || isOther;
  });
  return end < 0 ? messages : messages.slice(0, end);
}
