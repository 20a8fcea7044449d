import type { Random } from '../running/random.ts';
import type { Scheduler } from '../running/scheduler.ts';

/** What the way to a server may do to a request, now. Each from 0 to 1, but for the times. */
export interface Trouble {
  /** The server cannot be reached: nothing is sent. */
  down: boolean;
  /** The request arrives, its answer does not. */
  loseAnswer: number;
  /** Nobody knows whether the request arrives; it does not. */
  loseRequest: number;
  /** The failure is answered, and the request arrives after that. */
  late: number;
  /** Milliseconds that a request and its answer take at most, together. */
  latency: number;
}

/** No trouble at all. */
const calm = (): Trouble => ({ down: false, loseAnswer: 0, loseRequest: 0, late: 0, latency: 4 });

/** How the client of a server says that a request failed. */
export interface Failures {
  /** It was surely not sent. */
  unsent(): Error;
  /** There is no telling. */
  unknown(): Error;
}

/** Milliseconds after which a client gives up waiting for an answer. */
const patience = 600;

/** Milliseconds in which a late request arrives, after its failure was answered. */
const delay = 2_000;

/** Milliseconds in which a late request arrives, after it was sent. */
export const latest = patience + delay;

/** The way from processes to one server, and back. */
export class Wire {
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #failures: Failures;
  readonly trouble: Trouble = calm();
  /** Grows when the server is put back: what was on its way before never arrives. */
  life = 0;
  /** Milliseconds that this work takes at the server beside. */
  slowness: (what: string) => number = () => 0;

  constructor(scheduler: Scheduler, random: Random, failures: Failures) {
    this.#scheduler = scheduler;
    this.#random = random;
    this.#failures = failures;
  }

  /** Asks the server. `work` is done there, at once in effect; its answer comes back to the process that asks now. */
  ask<T>(what: string, work: () => T | Promise<T>): Promise<T> {
    const { trouble, life } = this;
    const owner = this.#scheduler.current;
    return new Promise((resolve, reject) => {
      const tell = (after: number, settle: () => void) => void this.#scheduler.after(after, settle, owner);
      if (trouble.down) return tell(this.#random.between(1, 50), () => reject(this.#failures.unsent()));
      const fate = this.#random.next();
      const wait = this.#random.between(0.2, trouble.latency) + this.slowness(what);
      if (fate < trouble.loseRequest) return tell(patience, () => reject(this.#failures.unknown()));
      if (fate < trouble.loseRequest + trouble.late) {
        const arrive = (): void => void (this.life === life && ignore(work));
        this.#scheduler.after(patience + this.#random.between(1, delay), arrive, undefined);
        return tell(patience, () => reject(this.#failures.unknown()));
      }
      const isLost = fate < trouble.loseRequest + trouble.late + trouble.loseAnswer;
      const arrive = (after: number): void => {
        const lose = () => tell(patience, () => reject(this.#failures.unknown()));
        if (this.life !== life) return lose();
        const answer = perform(work);
        if (isLost) return void answer.then(lose, lose);
        answer.then(
          (value) => tell(after, () => resolve(value)),
          (error: Error) => tell(after, () => reject(error)),
        );
      };
      // Whether the way there or the way back takes the time makes a difference to others only now and then.
      if (this.#random.chance(0.7)) arrive(wait);
      else this.#scheduler.after(wait / 2, () => arrive(wait / 2), undefined);
    });
  }
}

async function perform<T>(work: () => T | Promise<T>): Promise<T> {
  return work();
}

const ignore = async (work: () => unknown): Promise<void> => void (await perform(work).catch(() => undefined));
