import { type Clock, BoundedMap } from '@lyceum/kernel';

/** Somebody has shown so many tokens with bad signatures that no more are checked for now. The caller answers 429. */
export class TooManyForgeries extends Error {
  override readonly name = 'TooManyForgeries';
  /** Whole seconds until one is checked again. */
  readonly wait: number;

  constructor(wait: number) {
    super('Too many access tokens with a bad signature come from this address');
    this.wait = wait;
  }
}

/** Called with whether the signature that was checked is good. */
export type Settle = (isGood: boolean) => void;

/** Milliseconds in which what was counted is forgotten. */
const window = 60_000;
/** Addresses that are remembered, those that were seen last. */
const remembered = 100_000;

/**
 * Counts by address the tokens whose signatures turn out bad: everything else about a token is judged for next to
 * nothing, and a checked token is remembered, so that checking the signatures of made-up ones is what an attacker can
 * make this process do. An address that has shown none is never held up. Once it has, every check takes a unit of its
 * quota, which a good signature gives back: many at once are not more than the quota.
 */
export class BadSignatureLimiter {
  readonly #clock: Clock;
  readonly #unit: number;
  /** When all that was counted for an address is forgotten, in milliseconds of the clock. */
  readonly #until = new BoundedMap<string, number>(remembered);

  /** Bad signatures of one address in a minute. */
  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock;
    this.#unit = window / perMinute;
  }

  /** Called before a signature is checked for an address. Throws `TooManyForgeries`. */
  begin(from: string): Settle {
    const debt = this.#debt(from);
    if (debt === 0) return (isGood) => void (isGood || this.#add(from, this.#unit));
    const beyond = debt + this.#unit - window;
    // Sums of parts of the window are a little off.
    if (beyond > 1e-6) throw new TooManyForgeries(Math.ceil(beyond / 1_000));
    this.#add(from, this.#unit);
    return (isGood) => void (isGood && this.#add(from, -this.#unit));
  }

  #debt(from: string): number {
    const left = (this.#until.get(from) ?? 0) - this.#clock.now();
    // More than there ever is: the clock was set back.
    return left > window + 1 ? 0 : Math.max(0, left);
  }

  #add(from: string, milliseconds: number): void {
    const debt = Math.min(window, this.#debt(from) + milliseconds);
    this.#until.set(from, this.#clock.now() + Math.max(0, debt));
  }
}
