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

const before = (one: Task, other: Task): boolean => (one.at === other.at ? one.order < other.order : one.at < other.at);

/** Tasks by time, then in the order in which they were asked for: a binary heap. */
export class TaskQueue {
  readonly #tasks: Task[] = [];

  first(): Task | undefined {
    return this.#tasks[0];
  }

  add(task: Task): void {
    const tasks = this.#tasks;
    let at = tasks.push(task) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(task, tasks[parent]!)) break;
      tasks[at] = tasks[parent]!;
      at = parent;
    }
    tasks[at] = task;
  }

  take(): void {
    const tasks = this.#tasks;
    const last = tasks.pop()!;
    if (tasks.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= tasks.length) break;
      if (child + 1 < tasks.length && before(tasks[child + 1]!, tasks[child]!)) child += 1;
      if (!before(tasks[child]!, last)) break;
      tasks[at] = tasks[child]!;
      at = child;
    }
    tasks[at] = last;
  }
}
