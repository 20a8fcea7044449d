import { setTimeout as pause } from 'node:timers/promises';
import type { LogSignals } from './log-signals.ts';

/** What is looked at. */
interface ChangePollerOptions {
  readonly lanes: number;
  /** The position of a lane's newest commit, asked of the server. */
  readonly look: (lane: number) => Promise<number>;
  /** A lane grew. */
  readonly ring: (lane: number) => void;
  readonly signals?: LogSignals;
}

/** The longest time between two looks, milliseconds. */
const longest = 250;

/** Milliseconds between two looks: more lanes are looked at less often. */
const restOf = (lanes: number): number => Math.min(longest, Math.max(100, 10 * lanes));

/** Milliseconds without any news after which a log counts as quiet, and is looked at as seldom as one of many lanes. */
const quietAfter = 10_000;

/** Milliseconds between two looks while other processes signal what they append: a signal may be lost. */
const whileSignalled = 2_000;

/** Milliseconds before the next look when the server did not answer. */
const patience = 500;

/**
 * Finds the commits of other processes, for all who listen in this one: each lane is looked at once, however many follow
 * it, when another process signals that it grew, and now and then. Runs from the first listener to the end of the log.
 */
export class ChangePoller {
  readonly #options: ChangePollerOptions;
  readonly #reported: number[];
  #lastNews = performance.now();
  #hearing: ReturnType<LogSignals['listen']> | undefined;
  #watching: { readonly end: AbortController; readonly done: Promise<void> } | undefined;

  constructor(options: ChangePollerOptions) {
    this.#options = options;
    this.#reported = Array.from({ length: options.lanes }, () => 0);
  }

  start(): void {
    if (this.#watching) return;
    const end = new AbortController();
    this.#hearing = this.#options.signals?.listen((lane, position) => this.#signalled(lane, position));
    this.#watching = { end, done: this.#watch(end.signal) };
  }

  /** Resolves when the look in hand has ended. */
  async stop(): Promise<void> {
    const watching = this.#watching;
    this.#watching = undefined;
    this.#hearing?.close();
    watching?.end.abort();
    await watching?.done;
  }

  /** The listeners know of the lane up to a position. */
  report(lane: number, position: number): void {
    if (position <= this.#reported[lane]!) return;
    this.#reported[lane] = position;
    this.#lastNews = performance.now();
  }

  async #watch(end: AbortSignal): Promise<void> {
    const { lanes } = this.#options;
    while (!end.aborted) {
      const looks = await Promise.allSettled(Array.from({ length: lanes }, (_, lane) => this.#look(lane)));
      const rest = looks.some(({ status }) => status === 'rejected') ? patience : this.#rest;
      await pause(rest, undefined, { signal: end, ref: false }).catch(() => undefined);
    }
  }

  get #rest(): number {
    if (this.#hearing?.isConnected) return whileSignalled;
    return performance.now() - this.#lastNews > quietAfter ? longest : restOf(this.#options.lanes);
  }

  /** What this process knows already, also of its own appends, is no news. A look that fails is made up for by the next. */
  #signalled(lane: number, position: number): void {
    const reported = this.#reported[lane];
    if (reported !== undefined && position > reported) void this.#look(lane).catch(() => undefined);
  }

  async #look(lane: number): Promise<void> {
    const position = await this.#options.look(lane);
    if (position <= this.#reported[lane]!) return;
    this.report(lane, position);
    this.#options.ring(lane);
  }
}
