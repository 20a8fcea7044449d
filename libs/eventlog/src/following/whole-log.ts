import { type Checkpoint, checkpointFrom } from '@lyceum/kernel';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '../errors.ts';
import type { FollowOptions, Following } from '../follow.ts';
import { LaneFollower } from './lane-follower.ts';
import type { Commit, EventLog } from '../port.ts';

/** How the whole of a log is read; see `FollowOptions`. A throw of `handle` ends the reading, and `caughtUp` rejects with it. */
export type WholeOptions = Pick<FollowOptions, 'from' | 'handle' | 'onError' | 'diverged'>;

/** Commits in a batch: more than `withSharedReading` keeps, because all readers of a pass get them anyway. */
const batch = 512;

/** Lanes that are read side by side: one while what was read of the other is handled. */
const atOnce = 2;

/** Milliseconds that a pass waits for others who begin: read models of a service do so one soon after the other. */
const gathering = 10;

const passes = new WeakMap<EventLog, Pass>();

/**
 * Reads a log from the checkpoints on up to where it ends, once: lane by lane, and each lane once for all who ask for that at
 * the same time. One that asks later gets the lanes that nobody has begun, and the others afterwards.
 */
export function readWholeLog(log: EventLog, options: WholeOptions): Following {
  const pass = passes.get(log) ?? new Pass(log);
  passes.set(log, pass);
  const reader = new Reader(options, log.lanes);
  pass.join(reader);
  return { caughtUp: () => reader.done, close: () => reader.close() };
}

/** One of those that read the whole log. */
class Reader {
  readonly options: WholeOptions;
  /** Lanes that are not begun, and those that are not read to their end. */
  readonly missing: Set<number>;
  readonly #unread: Set<number>;
  readonly done: Promise<void>;
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  readonly #handling = new Set<Promise<void>>();
  #isOver = false;

  constructor(options: WholeOptions, lanes: number) {
    this.options = options;
    this.missing = new Set(Array.from({ length: lanes }, (_, lane) => lane));
    this.#unread = new Set(this.missing);
    this.done = new Promise((resolve, reject) => ([this.#resolve, this.#reject] = [resolve, reject]));
    this.done.catch(() => undefined);
  }

  /** It has read everything, failed, or was closed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  async handle(commits: readonly Commit[], lane: number): Promise<void> {
    if (this.#isOver) return;
    const handling = this.options.handle(commits, lane).catch((error: unknown) => this.fail(error));
    this.#handling.add(handling);
    await handling;
    this.#handling.delete(handling);
  }

  read(lane: number): void {
    this.#unread.delete(lane);
    if (this.#unread.size === 0) this.#end(this.#resolve);
  }

  fail(error: unknown): void {
    this.#end(() => this.#reject(error));
  }

  /** Resolves when what was in flight has been handled. */
  async close(): Promise<void> {
    this.fail(new Unavailable('the reader is closed'));
    await Promise.all(this.#handling);
  }

  #end(tell: () => void): void {
    this.#isOver = true;
    tell();
  }
}

/** Goes over the lanes again and again, as long as somebody has not read all of them. */
class Pass {
  readonly #log: EventLog;
  #readers: Reader[] = [];
  #next = 0;
  #running = false;

  constructor(log: EventLog) {
    this.#log = log;
  }

  join(reader: Reader): void {
    this.#readers.push(reader);
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    await pause(gathering);
    await Promise.all(Array.from({ length: atOnce }, () => this.#readLanes()));
    this.#running = false;
    // Somebody may have come while the last lane was read.
    if (this.#readers.some(({ isOver }) => !isOver)) void this.#run();
  }

  async #readLanes(): Promise<void> {
    for (let lane = this.#nextLane(); lane !== undefined; lane = this.#nextLane()) {
      const group = this.#readers.filter(({ missing }) => missing.delete(lane!));
      await this.#readLane(lane, group).catch((error: unknown) => group.forEach((reader) => reader.fail(error)));
    }
  }

  /** The next lane in their order that somebody has not begun. */
  #nextLane(): number | undefined {
    const { lanes } = this.#log;
    this.#readers = this.#readers.filter(({ isOver }) => !isOver);
    for (let step = 0; step < lanes; step += 1) {
      const lane = (this.#next + step) % lanes;
      if (!this.#readers.some(({ missing }) => missing.has(lane))) continue;
      this.#next = lane + 1;
      return lane;
    }
    return undefined;
  }

  /** Each has a turn of the event loop for itself: all of them together would stop it for as many times as long. */
  async #handOver(commits: readonly Commit[], lane: number, readers: readonly Reader[]): Promise<void> {
    const handling: Promise<void>[] = [];
    for (const reader of readers) {
      if (handling.length > 0) await turn();
      handling.push(reader.handle(commits, lane));
    }
    await Promise.all(handling);
  }

  async #readLane(lane: number, group: readonly Reader[]): Promise<void> {
    const going = () => group.filter(({ isOver }) => !isOver);
    const follower = new LaneFollower(this.#log, lane, {
      from: async () => earliest(await Promise.all(going().map(({ options }) => options.from(lane)))),
      handle: (commits) => this.#handOver(commits, lane, going()),
      onError: (error) => going().forEach(({ options }) => options.onError?.(error, lane)),
      diverged: async () => void (await Promise.all(going().map(({ options }) => options.diverged?.(lane)))),
      batch,
      isUrgent: true,
    });
    try {
      const allOver = Promise.allSettled(group.map(({ done }) => done));
      await Promise.race([this.#log.head(lane).then((head) => follower.reached(head)), allOver]);
      for (const reader of going()) reader.read(lane);
    } finally {
      await follower.close();
    }
  }
}

/** Of checkpoints, the one that all others are after; without any, the beginning. */
const earliest = (all: readonly (number | Checkpoint)[]): Checkpoint =>
  all.map(checkpointFrom).sort((a, b) => a.position - b.position)[0] ?? { position: 0 };
