import type { Ephemeral, TakenMany } from '@lyceum/ephemeral';
import type { Clock } from '@lyceum/kernel';

/** What shared quotas are reached with. */
export interface SharedQuotaOptions {
  readonly ephemeral: Pick<Ephemeral, 'takeMany'>;
  readonly clock: Clock;
  readonly logger: SharedQuotaLogger;
  /** The longest wait for the store. Milliseconds. */
  readonly patience?: number;
}

/** Where an outage, and its end, is logged. */
interface SharedQuotaLogger {
  info(line: object, text: string): void;
  error(line: object, text: string): void;
}

/** Milliseconds between two attempts while the store is away. */
const again = 1_000;

/**
 * The quotas in a store that other processes use too. A call that fails or takes too long is an outage: it is logged
 * once, and until a call succeeds no request should wait for one.
 */
export class SharedQuotas {
  readonly #options: SharedQuotaOptions;
  readonly #patience: number;
  #away = false;
  #nextAttempt = 0;

  constructor(options: SharedQuotaOptions) {
    this.#options = options;
    this.#patience = options.patience ?? 250;
  }

  /** Whether the last call failed. */
  get isAway(): boolean {
    return this.#away;
  }

  /** Whether it is time to look for the store again; says so once in a while. */
  isAttemptDue(now: number): boolean {
    const left = this.#nextAttempt - now;
    // More than there ever is: the clock was set back.
    if (left > 0 && left <= again) return false;
    this.#nextAttempt = now + again;
    return true;
  }

  /** Takes units; undefined when the store failed. Never rejects. */
  async take(key: string, most: number, quota: number, window: number): Promise<TakenMany | undefined> {
    try {
      const taken = await this.#within(this.#options.ephemeral.takeMany(key, most, quota, window));
      this.#returned();
      return taken;
    } catch (err) {
      this.#left(err);
      return undefined;
    }
  }

  #left(err: unknown): void {
    if (this.#away) return;
    this.#away = true;
    this.#nextAttempt = this.#options.clock.now() + again;
    this.#options.logger.error({ err }, 'the shared count of requests cannot be kept: each process counts by itself');
  }

  #returned(): void {
    if (!this.#away) return;
    this.#away = false;
    this.#options.logger.info({}, 'requests are counted for all processes together again');
  }

  async #within<T>(call: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      // An answer that came while this process was busy counts: it is read before the immediate.
      const giveUp = (): void => reject(new Error(`no answer within ${this.#patience} ms`));
      timer = setTimeout(() => setImmediate(giveUp), this.#patience).unref();
    });
    try {
      return await Promise.race([call, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
