import { subscribe } from 'node:diagnostics_channel';
import { FairQueue } from './fair-queue.ts';

/** Connections that this process has accepted so far, by all of its listeners. */
let accepted = 0;
subscribe('net.server.socket', () => void (accepted += 1));

/** The part of a response that says when the work for it is done: after `end`, or when the client is gone. */
interface Response {
  once(event: 'prefinish' | 'close', listener: () => void): unknown;
}

/** The work that answers a request. */
export interface Work {
  /** The school that it is done for; undefined where it is for none. */
  readonly school: string | undefined;
  readonly response: Response;
  /** Starts it. */
  readonly run: () => void;
  /** Answers that too many requests of the school are under way. */
  readonly refuse: () => void;
  /** Milliseconds after which work that has not answered counts as waiting, not as busy; a second when not given. */
  readonly maxBusy?: number;
}

/** How much is done at once. Times are milliseconds; a tick is a turn of the event loop. */
export interface SchedulerLimits {
  /** Requests under way, of all schools. */
  readonly concurrency: number;
  /** Requests under way of a school while no other school has asked for anything. */
  readonly concurrencyAlone: number;
  /** How long a school is not alone after another one asked. */
  readonly aloneAfter: number;
  /** Requests that wait for one school; those beyond are refused. */
  readonly maxQueued: number;
  /** How long a request waits in a queue that is too long, see `patientQueue`. */
  readonly maxWait: number;
  /**
   * A queue of this length, or of half of the longest one, is never refused: the others keep the process busy, or the
   * machine does.
   */
  readonly patientQueue: number;
  /** Requests that start in one tick without queueing, and out of the queues. */
  readonly startsAtOnce: number;
  readonly startsFromQueues: number;
  /** How long one tick starts more requests: each step of another school's request waits for its end. Longer where there is none. */
  readonly tick: number;
  readonly tickAlone: number;
  /** How long new connections go before queues longer than `shortQueue`. */
  readonly accepting: number;
  readonly shortQueue: number;
}

/** Measured with one school at full load: see `services/all-in-one/src/system/attacks/hostile-load.test.ts`. */
const usual: SchedulerLimits = {
  concurrency: 32,
  concurrencyAlone: 96,
  aloneAfter: 2_000,
  maxQueued: 512,
  maxWait: 2_000,
  patientQueue: 64,
  startsAtOnce: 8,
  startsFromQueues: 64,
  tick: 2,
  tickAlone: 10,
  accepting: 150,
  shortQueue: 16,
};

const usualMaxBusy = 1_000;
/** Milliseconds between two looks at what waits, and at what it waits for. */
const checkEvery = 100;

interface Running {
  readonly school: string | undefined;
  /** From here on it does not count as busy. */
  readonly until: number;
}

interface Waiting extends Work {
  readonly since: number;
}

/**
 * Shares one process between schools. One thread does all work in the order in which it came, so a thousand requests of one
 * school would delay the next request of every other school by all of them. Therefore a tick starts few requests, a school
 * has no more than its share under way, and the rest waits in one queue a school; the queues take turns by the time that was
 * spent on each. A request that waits too long in a long queue, or finds it full, is refused. Requests that do nothing for
 * long give their place back: streams, slow readers, services that do not answer.
 */
export class SchoolScheduler {
  readonly #limits: SchedulerLimits;
  readonly #queue: FairQueue<Waiting>;
  readonly #running = new Set<Running>();
  #startsInTick = 0;
  #tickSince = 0;
  #isTickEnding = false;
  /** The request that was started last in this tick. */
  #working: { readonly school: string | undefined; readonly since: number } | undefined;
  #accepted = accepted;
  #acceptingSince: number | undefined;
  /** Milliseconds of work since then. */
  #workWhileAccepting = 0;
  #checking: NodeJS.Timeout | undefined;
  /** The school that asked last, and when it will have been the only one for long enough. */
  #lastSchool: string | undefined;
  #aloneFrom = 0;

  constructor(limits: Partial<SchedulerLimits> = {}) {
    this.#limits = { ...usual, ...limits };
    const { concurrency: places, concurrencyAlone: placesAlone, maxQueued } = this.#limits;
    this.#queue = new FairQueue({ places, placesAlone, maxQueued });
  }

  /** Starts the work now or when it is the turn of its school, or refuses it. */
  schedule(work: Work): void {
    const { school, response } = work;
    if (school !== this.#lastSchool) {
      this.#lastSchool = school;
      this.#aloneFrom = performance.now() + this.#limits.aloneAfter;
    }
    if (this.#mayStartAtOnce(school)) return this.#start(work);
    const waiting = { ...work, since: performance.now() };
    if (!this.#queue.enqueue(waiting)) return work.refuse();
    response.once('close', () => this.#queue.remove(waiting));
    this.#checking ??= setInterval(() => this.#check(), checkEvery).unref();
    this.#endTickLater();
  }

  #isAlone(): boolean {
    return performance.now() >= this.#aloneFrom;
  }

  /** Whether nothing waits, neither in a queue nor, as far as is known, for its connection to be accepted. */
  #mayStartAtOnce(school: string | undefined): boolean {
    const nothingWaits = !this.#queue.hasWaiting && this.#accepted === accepted;
    return nothingWaits && this.#mayStart(this.#limits.startsAtOnce) && this.#queue.mayStart(school, this.#isAlone());
  }

  /** Whether this tick is short enough for one more request, of so many. */
  #mayStart(most: number): boolean {
    if (this.#startsInTick === 0) return true;
    const { tick, tickAlone } = this.#limits;
    const isOver = performance.now() - this.#tickSince >= (this.#isAlone() ? tickAlone : tick);
    return this.#startsInTick < most && !isOver;
  }

  #start({ school, response, run, maxBusy = usualMaxBusy }: Work): void {
    const now = performance.now();
    if (this.#startsInTick === 0) this.#tickSince = now;
    this.#startsInTick += 1;
    this.#queue.started(school);
    this.#charge();
    this.#working = { school, since: now };
    const running = { school, until: now + maxBusy };
    this.#running.add(running);
    const end = (): void => {
      if (!this.#running.delete(running)) return;
      this.#queue.finished(school);
      this.#endTickLater();
    };
    response.once('prefinish', end);
    response.once('close', end);
    this.#endTickLater();
    run();
  }

  /** Charges the time since the last start to the school of that request; it belongs to it within one tick. */
  #charge(): void {
    if (!this.#working) return;
    const { school, since } = this.#working;
    const spent = performance.now() - since;
    this.#queue.charge(school, spent);
    this.#workWhileAccepting += spent;
    this.#working = undefined;
  }

  #endTickLater(): void {
    if (this.#isTickEnding) return;
    this.#isTickEnding = true;
    setImmediate(this.#endTick);
  }

  readonly #endTick = (): void => {
    this.#isTickEnding = false;
    this.#charge();
    this.#startsInTick = 0;
    if (this.#isAccepting()) {
      setImmediate(this.#startOfShortQueue);
      return this.#endTickLater();
    }
    // An immediate for each: what a request does at once is done, and measured, before the next one starts.
    for (let left = Math.min(this.#limits.startsFromQueues, this.#queue.waiting); left > 0; left -= 1)
      setImmediate(this.#startNext);
  };

  /**
   * Whether connections may be waiting to be accepted. One is accepted in a tick: with work in each tick, a new one would
   * wait for as many pieces of work as there are connections before it.
   */
  #isAccepting(): boolean {
    if (!this.#queue.hasWaiting || this.#accepted === accepted) {
      this.#acceptingSince = undefined;
      return false;
    }
    this.#accepted = accepted;
    const now = performance.now();
    if (this.#acceptingSince === undefined) [this.#acceptingSince, this.#workWhileAccepting] = [now, 0];
    if (now - this.#acceptingSince < this.#limits.accepting) return true;
    this.#acceptingSince = undefined;
    return false;
  }

  readonly #startNext = (): void => {
    this.#charge();
    if (!this.#mayStart(this.#limits.startsFromQueues)) return this.#endTickLater();
    const next = this.#queue.next({ alone: this.#isAlone() });
    if (next) this.#start(next);
  };

  /** While connections are accepted, only requests of short queues start, for a quarter of the time. */
  readonly #startOfShortQueue = (): void => {
    this.#charge();
    if (this.#acceptingSince === undefined) return;
    if (performance.now() - this.#acceptingSince < 4 * this.#workWhileAccepting) return;
    const next = this.#queue.next({ longest: this.#limits.shortQueue });
    if (next) this.#start(next);
  };

  /** Refuses what has waited too long, and counts what has been busy for too long as waiting. */
  #check(): void {
    const now = performance.now();
    for (const running of this.#running) {
      if (running.until > now) continue;
      this.#running.delete(running);
      this.#queue.finished(running.school);
    }
    const patient = Math.max(this.#limits.patientQueue, this.#queue.longest / 2);
    for (const waiting of this.#queue.inQueuesLongerThan(patient)) {
      if (now - waiting.since < this.#limits.maxWait) continue;
      this.#queue.remove(waiting);
      waiting.refuse();
    }
    if (this.#queue.hasWaiting) return this.#endTickLater();
    clearInterval(this.#checking);
    this.#checking = undefined;
  }
}
