import { everyStep } from './promises.ts';
import { type Owner, type Task, TaskQueue } from './task-queue.ts';

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
