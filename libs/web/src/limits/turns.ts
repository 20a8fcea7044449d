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
  /** How long they wait, at most. */
  readonly patience: number;
  /** How many begin in one turn of the event loop, and how long it may last when another one begins. */
  readonly starts: number;
  readonly turn: number;
  /** How long those who wait at the door are let in before more work begins. */
  readonly door: number;
}

const usual: TurnLimits = { places: 64, longest: 512, patience: 2_000, starts: 8, turn: 10, door: 20 };

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
 * Whoever waits too long, or finds the line full, is refused. Who is idle for long gives the place back: streams, clients
 * that are slow to read, neighbours that do not answer.
 */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #line: FairLine<Waiting>;
  readonly #busy = new Set<Begun>();
  #ended: Begun[] = [];
  #starts = 0;
  #began = 0;
  #isTurn = false;
  #accepted = accepted;
  #doorSince: number | undefined;
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
    return nobodyWaits && this.#line.mayTake(school) && this.#mayStart();
  }

  /** Whether this turn of the event loop is short enough for one more. */
  #mayStart(): boolean {
    return (
      this.#starts === 0 || (this.#starts < this.#limits.starts && performance.now() - this.#began < this.#limits.turn)
    );
  }

  #begin({ school, response, go, mostBusy = usuallyBusy }: Work): void {
    const now = performance.now();
    if (this.#starts === 0) this.#began = now;
    this.#starts += 1;
    this.#line.took(school);
    const begun = { school, until: now + mostBusy };
    this.#busy.add(begun);
    const end = (): void => {
      if (this.#busy.delete(begun)) this.#ended.push(begun);
      this.#endTurnLater();
    };
    response.once('prefinish', end);
    response.once('close', end);
    this.#endTurnLater();
    go();
  }

  #endTurnLater(): void {
    if (this.#isTurn) return;
    this.#isTurn = true;
    setImmediate(this.#endTurn);
  }

  /** Places are free only after the turn in which the work was done: else a turn had no end while there is work. */
  readonly #endTurn = (): void => {
    this.#isTurn = false;
    for (const { school } of this.#ended.splice(0)) this.#line.gave(school);
    if (this.#isAtDoor()) return this.#endTurnLater();
    this.#starts = 0;
    // Each begins by itself, so that what it does at once is done, and seen by the clock, before the next one.
    for (let start = 0; start < this.#limits.starts && this.#line.isWaitedFor; start += 1)
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
    this.#doorSince ??= now;
    if (now - this.#doorSince < this.#limits.door) return true;
    this.#doorSince = undefined;
    return false;
  }

  readonly #beginNext = (): void => {
    if (!this.#mayStart()) return this.#endTurnLater();
    const next = this.#line.next();
    if (next) this.#begin(next);
  };

  /** Those who have waited too long are refused; those who have been busy for too long are not, it seems. */
  #look(): void {
    const now = performance.now();
    for (const begun of this.#busy) {
      if (begun.until > now) continue;
      this.#busy.delete(begun);
      this.#ended.push(begun);
    }
    for (const waiting of this.#line.everybody()) {
      if (now - waiting.since < this.#limits.patience) continue;
      this.#line.leave(waiting);
      waiting.refuse();
    }
    if (this.#line.isWaitedFor) return this.#endTurnLater();
    clearInterval(this.#watching);
    this.#watching = undefined;
  }
}
