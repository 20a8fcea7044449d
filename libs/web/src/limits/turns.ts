import { subscribe } from 'node:diagnostics_channel';
import { FairLine } from './fair-line.ts';

/** Connections that this process has accepted so far, by whichever listener. */
let accepted = 0;
subscribe('net.server.socket', () => void (accepted += 1));

/** The part of a response that tells when the work for it is done: after `end`, or when the client is gone. */
interface Response {
  once(event: 'prefinish' | 'close', listener: () => void): unknown;
}

/** A piece of work that answers a request. */
export interface Work {
  /** For whom it is done; undefined where it is for no school. */
  readonly school: string | undefined;
  readonly response: Response;
  /** Begins it. */
  readonly go: () => void;
  /** Answers that there is too much of the school's already. */
  readonly refuse: () => void;
  /** Milliseconds after which whoever is still not answered waits for something and does not work; a second when not given. */
  readonly mostBusy?: number;
}

/** How much is done at once; milliseconds. */
export interface TurnLimits {
  /** Pieces of work that have begun and are not answered. */
  readonly places: number;
  /** How many wait in the line of one school, at most. */
  readonly longest: number;
  /** How long they wait, at most, where more than `few` of the school wait. */
  readonly patience: number;
  /** So many who wait are not too many, however busy the process is with others. */
  readonly few: number;
  /** How many begin in one turn of the event loop without waiting in a line, and out of the lines. */
  readonly starts: number;
  readonly fromLines: number;
  readonly turn: number;
  /** How long those who wait at the door are let in before more work begins, but for work of lines that are so short. */
  readonly door: number;
  readonly short: number;
}

/** Measured with one school at full load: see `services/all-in-one/src/system/hostile-load.test.ts`. */
const usual: TurnLimits = {
  places: 32,
  longest: 512,
  patience: 2_000,
  few: 64,
  starts: 8,
  fromLines: 64,
  turn: 10,
  door: 150,
  short: 16,
};

const usuallyBusy = 1_000;
/** Milliseconds between two looks at those who wait, and at those they wait for. */
const look = 100;

interface Begun {
  readonly school: string | undefined;
  /** From here on it does not count as busy. */
  readonly until: number;
}

interface Waiting extends Work {
  readonly since: number;
}

/**
 * Shares one process between schools. All work is done by one thread, in the order in which it came: where a school has a
 * thousand requests at once, whoever comes next would wait for all of them. So only a few begin in a turn of the event
 * loop, no school has more than its part of those under way, and the rest waits in lines of the schools, which take turns.
 * Whoever waits too long in a long line, or finds it full, is refused. Who is idle for long gives the place back: streams, clients
 * that are slow to read, neighbours that do not answer.
 */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #line: FairLine<Waiting>;
  readonly #busy = new Set<Begun>();
  #starts = 0;
  #began = 0;
  #isTurn = false;
  /** Who began last in this turn of the event loop. */
  #working: { readonly school: string | undefined; readonly since: number } | undefined;
  #accepted = accepted;
  #doorSince: number | undefined;
  /** Milliseconds of work since then. */
  #doorWork = 0;
  #watching: NodeJS.Timeout | undefined;

  constructor(limits: Partial<TurnLimits> = {}) {
    this.#limits = { ...usual, ...limits };
    this.#line = new FairLine(this.#limits.places, this.#limits.longest);
  }

  /** Does a piece of work now or when its turn comes, or refuses it. */
  take(work: Work): void {
    const { school, response } = work;
    if (this.#mayBeginAtOnce(school)) return this.#begin(work);
    const waiting = { ...work, since: performance.now() };
    if (!this.#line.join(waiting)) return work.refuse();
    response.once('close', () => this.#line.leave(waiting));
    this.#watching ??= setInterval(() => this.#look(), look);
    this.#endTurnLater();
  }

  /** Whether nobody waits, neither in a line nor, as far as is known, at the door. */
  #mayBeginAtOnce(school: string | undefined): boolean {
    const nobodyWaits = !this.#line.isWaitedFor && this.#accepted === accepted;
    return nobodyWaits && this.#line.mayTake(school) && this.#mayStart(this.#limits.starts);
  }

  /** Whether this turn of the event loop is short enough for one more, of so many. */
  #mayStart(most: number): boolean {
    return this.#starts === 0 || (this.#starts < most && performance.now() - this.#began < this.#limits.turn);
  }

  #begin({ school, response, go, mostBusy = usuallyBusy }: Work): void {
    const now = performance.now();
    if (this.#starts === 0) this.#began = now;
    this.#starts += 1;
    this.#line.took(school);
    this.#charge();
    this.#working = { school, since: now };
    const begun = { school, until: now + mostBusy };
    this.#busy.add(begun);
    const end = (): void => {
      if (!this.#busy.delete(begun)) return;
      this.#line.gave(school);
      this.#endTurnLater();
    };
    response.once('prefinish', end);
    response.once('close', end);
    this.#endTurnLater();
    go();
  }

  /** The time since the last one began is its school's, as long as the turn of the event loop is the same. */
  #charge(): void {
    if (!this.#working) return;
    const { school, since } = this.#working;
    const took = performance.now() - since;
    this.#line.charge(school, took);
    this.#doorWork += took;
    this.#working = undefined;
  }

  #endTurnLater(): void {
    if (this.#isTurn) return;
    this.#isTurn = true;
    setImmediate(this.#endTurn);
  }

  readonly #endTurn = (): void => {
    this.#isTurn = false;
    this.#charge();
    this.#starts = 0;
    if (this.#isAtDoor()) {
      setImmediate(this.#beginShort);
      return this.#endTurnLater();
    }
    // Each begins by itself, so that what it does at once is done, and seen by the clock, before the next one.
    for (let left = Math.min(this.#limits.fromLines, this.#line.waiting); left > 0; left -= 1)
      setImmediate(this.#beginNext);
  };

  /**
   * Whether somebody may be waiting at the door: one connection is accepted in a turn of the event loop, so while there is
   * work in each turn, whoever connects would wait for as many pieces of work as others have connected before.
   */
  #isAtDoor(): boolean {
    if (!this.#line.isWaitedFor || this.#accepted === accepted) {
      this.#doorSince = undefined;
      return false;
    }
    this.#accepted = accepted;
    const now = performance.now();
    if (this.#doorSince === undefined) [this.#doorSince, this.#doorWork] = [now, 0];
    if (now - this.#doorSince < this.#limits.door) return true;
    this.#doorSince = undefined;
    return false;
  }

  readonly #beginNext = (): void => {
    this.#charge();
    if (!this.#mayStart(this.#limits.fromLines)) return this.#endTurnLater();
    const next = this.#line.next();
    if (next) this.#begin(next);
  };

  /** While others are let in, only work of schools that have little of it begins, for a quarter of the time. */
  readonly #beginShort = (): void => {
    this.#charge();
    if (this.#doorSince === undefined || performance.now() - this.#doorSince < 4 * this.#doorWork) return;
    const next = this.#line.next(this.#limits.short);
    if (next) this.#begin(next);
  };

  /** Those who have waited too long are refused; those who have been busy for too long are not, it seems. */
  #look(): void {
    const now = performance.now();
    for (const begun of this.#busy) {
      if (begun.until > now) continue;
      this.#busy.delete(begun);
      this.#line.gave(begun.school);
    }
    for (const waiting of this.#line.everybody(this.#limits.few)) {
      if (now - waiting.since < this.#limits.patience) continue;
      this.#line.leave(waiting);
      waiting.refuse();
    }
    if (this.#line.isWaitedFor) return this.#endTurnLater();
    clearInterval(this.#watching);
    this.#watching = undefined;
  }
}
