import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { Random } from './random.ts';
import { Scheduler } from './scheduler.ts';
import type { Task } from './task-queue.ts';

/** When every simulation begins, milliseconds since the Unix epoch. */
const beginning = Date.UTC(2026, 0, 5, 8);

const RealDate = Date;

/** What the code under test gets its time and randomness from. */
export interface Nature {
  readonly scheduler: Scheduler;
  readonly random: Random;
}

let nature: Nature = { scheduler: new Scheduler(), random: new Random(0) };

/** The simulation that time and randomness come from now. */
export const setNature = (given: Nature): void => void (nature = given);

/** The clock of whoever asks. */
export const ownTime = (): number =>
  beginning + Math.floor(nature.scheduler.now + (nature.scheduler.current?.skew ?? 0));

/** What each simulated process has by itself, where a module of a real process has one for all of it. */
export function ofEachProcess<T>(make: () => T): () => T {
  const all = new WeakMap<object, T>();
  return () => {
    const owner = nature.scheduler.current ?? nature.scheduler;
    const own = all.get(owner) ?? make();
    all.set(owner, own);
    return own;
  };
}

/** Has something happen in the process whose code runs now. */
const later = (milliseconds: number, run: () => void): Task =>
  nature.scheduler.after(milliseconds, run, nature.scheduler.current);

class Timer {
  task: Task;
  constructor(task: Task) {
    this.task = task;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
}

const cancel = (timer: unknown): void => void (timer instanceof Timer && (timer.task.canceled = true));

type Work = (...given: unknown[]) => void;

const once = (work: Work, milliseconds = 0, ...given: unknown[]): Timer =>
  new Timer(later(Math.max(1, milliseconds), () => work(...given)));

const soon = (work: Work, ...given: unknown[]): Timer => new Timer(later(0, () => work(...given)));

function again(work: Work, milliseconds = 1, ...given: unknown[]): Timer {
  const every = Math.max(1, milliseconds);
  const beat = (): void => {
    timer.task = later(every, beat);
    work(...given);
  };
  const timer = new Timer(later(every, beat));
  return timer;
}

function pause<T>(milliseconds = 0, value?: T, { signal }: { signal?: AbortSignal } = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      cancel(timer);
      reject(Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' }));
    };
    const timer = once(() => {
      signal?.removeEventListener('abort', abort);
      resolve(value as T);
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

class SimulatedDate extends RealDate {
  constructor(...given: []) {
    if (given.length === 0) super(ownTime());
    else super(...given);
  }
  static override now(): number {
    return ownTime();
  }
}

function randomBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  nature.random.fill(bytes);
  return bytes;
}

function randomUUID(): string {
  const hex = randomBytes(16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Puts simulated time and randomness in the place of Node's, for all code of this process and for good. */
export function replaceGlobals(): void {
  const named = { setTimeout: once, setInterval: again, setImmediate: soon };
  const ended = { clearTimeout: cancel, clearInterval: cancel, clearImmediate: cancel };
  Object.assign(globalThis, named, ended, { Date: SimulatedDate });
  globalThis.performance.now = () => nature.scheduler.now;
  Math.random = () => nature.random.next();
  Object.assign(timers, { setTimeout: pause, setImmediate: (value: unknown) => pause(0, value) });
  Object.assign(crypto, {
    randomBytes,
    randomUUID,
    randomFillSync: <T extends Uint8Array>(bytes: T): T => {
      nature.random.fill(bytes);
      return bytes;
    },
  });
  syncBuiltinESMExports();
}
