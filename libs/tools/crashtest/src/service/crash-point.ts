/** The moments at which a process of the proof kills itself, named as the rows of the failure table. */
export const crashPoints = {
  C1: 'before the insert reaches the database',
  C2: 'durable, before the caller is answered',
  C3: 'inside the insert of a group',
  C4: 'stored, before the doorbell rings',
  C5: 'the transport acknowledged, the checkpoint is not saved',
  C6: 'the transport took a part of a batch, its answer never came',
  C7: 'a second relay, with an old place, publishes again',
  C8: 'the transport lost a record',
  C9: 'the effect is done, the watermark is not saved',
  C10: 'inside the write of a projection',
  C18: 'before or after any write of a process manager: its stream, what its commands do, its index, its place',
  C19: 'before or after the effect of a reaction, and before or after its place is saved',
  C20: 'around a write to a MongoDB-wire server: a commit, a part of a step of documents',
  C21: 'around what is sent to Kafka',
  C22: 'before or after a batch from Kafka is handed on',
  C23: 'around saying to Kafka what is handled',
  C24: 'before or after any step of an erasure: the key, the log, the service, the read models, the note that all is told',
  C25: 'while a read model is built, around an erasure',
  C26: 'around any write of an erasure that another process must follow',
} as const;

/** One of them. */
export type CrashPoint = keyof typeof crashPoints;

/** Whether a text names a crash point. */
export const isCrashPoint = (text: string | undefined): text is CrashPoint =>
  text !== undefined && Object.hasOwn(crashPoints, text);

/** Ends this process by SIGKILL at the n-th passage of one point. Without a point it never does. */
export class Fuse {
  readonly point: CrashPoint | undefined;
  #left: number;

  constructor(point?: CrashPoint, passage = 1) {
    this.point = point;
    this.#left = passage;
  }

  /** The process is at the point now; perhaps it never returns from here. */
  pass(point: CrashPoint): void {
    if (this.isLast(point)) this.blow();
    if (point === this.point) this.#left -= 1;
  }

  /** Whether the next passage of the point is the last thing that this process does. */
  isLast(point: CrashPoint): boolean {
    return point === this.point && this.#left <= 1;
  }

  /** SIGKILL: nothing is flushed, nothing is closed, no handler runs. */
  blow(): void {
    process.kill(process.pid, 'SIGKILL');
  }
}
