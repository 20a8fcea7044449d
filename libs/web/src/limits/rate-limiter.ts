import { type Ephemeral, EphemeralUnavailable } from '@lyceum/ephemeral';
import type { Clock } from '@lyceum/kernel';
import type { Logger } from '../http/access-log.ts';
import type { Admission } from './admission.ts';
import { type Policy, scaled } from './policy.ts';

/** What a limiter works with. */
export interface LimiterPorts {
  readonly ephemeral: Pick<Ephemeral, 'take'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Milliseconds between two lines about the same outage. */
const quiet = 10_000;

/**
 * Counts requests by policy, over all processes that share the ephemeral store. Each partition (whom a request is
 * counted for) has the whole quota at once, then gets it back evenly. When the store is away nobody is held up: the
 * outage is logged, and each request that was not counted says so in its admission.
 */
export class RateLimiter {
  readonly #ports: LimiterPorts;
  readonly #factor: number;
  readonly #inForce = new WeakMap<Policy, Policy>();
  #lastLine = -Infinity;

  /** `factor` multiplies every quota. */
  constructor(ports: LimiterPorts, factor: number) {
    this.#ports = ports;
    this.#factor = factor;
  }

  /** Counts a request of a school for a partition. Refused requests count for nothing. */
  async admit(policy: Policy, school: string, ...partition: readonly string[]): Promise<Admission> {
    const inForce = this.#scaled(policy);
    const key = `${school}:limit:${JSON.stringify([policy.name, ...partition])}`;
    try {
      const { taken, left, wait } = await this.#ports.ephemeral.take(key, inForce.quota, inForce.window * 1000);
      return { outcome: taken ? 'admitted' : 'refused', policy: inForce, left, wait: Math.ceil(wait / 1000) };
    } catch (error) {
      if (!(error instanceof EphemeralUnavailable)) throw error;
      this.#report(error);
      return { outcome: 'unknown', policy: inForce };
    }
  }

  /** A policy is a value that is used again and again. */
  #scaled(policy: Policy): Policy {
    let inForce = this.#inForce.get(policy);
    if (!inForce) this.#inForce.set(policy, (inForce = scaled(policy, this.#factor)));
    return inForce;
  }

  #report(err: unknown): void {
    const now = this.#ports.clock.now();
    if (now - this.#lastLine < quiet) return;
    this.#lastLine = now;
    this.#ports.logger.error({ err }, 'requests cannot be counted: rate limits let everyone through');
  }
}
