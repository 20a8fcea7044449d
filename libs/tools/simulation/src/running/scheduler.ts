import { everyStep } from './promises.ts';
import { TaskQueue } from './task-queue.ts';

/** A process of the simulated installation, as far as time is concerned. */
export interface Owner {
  readonly name: string;
  /** Milliseconds that its clock is ahead of the simulated time. */
  readonly skew: number;
  /** It crashed: nothing that it waits for comes any more. */
  dead: boolean;
  /** It is stopped: what is due waits until it is woken. */
  stopped: boolean;
}

/** Something that happens at a time. Without an owner it happens outside of all processes. */
export interface Task {
  readonly at: number;
  readonly order: number;
  readonly owner: Owner | undefined;
  readonly run: () => void;
  canceled: boolean;
}

/**
 * The only source of time and order. One task at a time: whatever follows from it by promises is done before the next
 * one begins, so all code that runs meanwhile belongs to the owner of the task.
 */
export class Scheduler {
  readonly #queue = new TaskQueue();
  readonly #held = new Map<Owner, Task[]>();
  #order = 0;
  /** Milliseconds since the simulation began. */
  now = 0;
  /** Whose code runs at this moment. */
  current: Owner | undefined;
  /** Tasks that were run. */
  steps = 0;

  /** Has something happen after a time, in a process or outside of all. */
  after(milliseconds: number, run: () => void, owner: Owner | undefined): Task {
    const wait = milliseconds > 0 ? milliseconds : 0;
    const task: Task = { at: this.now + wait, order: (this.#order += 1), owner, run, canceled: false };
    this.#queue.add(task);
    return task;
  }

  /** Lets a stopped process go on: what was due meanwhile happens now, in its order. */
  wake(owner: Owner): void {
    owner.stopped = false;
    const held = this.#held.get(owner) ?? [];
    this.#held.delete(owner);
    for (const { run } of held.filter(({ canceled }) => !canceled)) this.after(0, run, owner);
  }

  /** Runs until nothing is left, until the time has come, or `isOver` says so. */
  run(end: number, isOver: () => boolean): Promise<void> {
    return everyStep(() => !isOver() && this.#one(end));
  }

  /** Does what is due next. False when that is nothing, or later than `end`. */
  #one(end: number): boolean {
    for (;;) {
      const task = this.#queue.first();
      if (!task || task.at > end) {
        this.now = Math.max(this.now, end);
        return false;
      }
      this.#queue.take();
      const { owner, canceled, at, run } = task;
      if (canceled || owner?.dead) continue;
      if (owner?.stopped) {
        this.#held.set(owner, [...(this.#held.get(owner) ?? []), task]);
        continue;
      }
      this.now = Math.max(this.now, at);
      this.current = owner;
      this.steps += 1;
      run();
      return true;
    }
  }
}
