import { addressPartition } from '@lyceum/web';

/** One counted request or body. */
export interface InFlight {
  /** Counts it no longer; more than once does nothing. */
  leave(): void;
}

/** How many there may be at once, of an address and of a school. */
interface InFlightQuota {
  readonly ofAddress: number;
  readonly ofSchool: number;
}

/** Bodies that arrive at once. */
const bodies: InFlightQuota = { ofAddress: 64, ofSchool: 512 };
/** Requests that services work on, or whose answers are not taken yet. */
const requests: InFlightQuota = { ofAddress: 256, ofSchool: 2_000 };

/** Ends the wait for a body. */
type EndWait = () => void;

/** Limits the bodies and requests in flight of each address and each school, without effect on others. */
export class InFlightLimits {
  readonly #bodies: InFlightCount<EndWait>;
  readonly #requests: InFlightCount<object>;

  constructor(quotas: { readonly bodies?: InFlightQuota; readonly requests?: InFlightQuota } = {}) {
    this.#bodies = new InFlightCount(quotas.bodies ?? bodies);
    this.#requests = new InFlightCount(quotas.requests ?? requests);
  }

  /** Counts a body that begins to arrive. Where there are too many, the oldest is given up: an honest one arrives at once. */
  body(giveUp: EndWait, address: string, school: string): InFlight {
    const partition = addressPartition(address);
    this.#bodies.oldest(partition, school)?.();
    return this.#bodies.enter(giveUp, partition, school);
  }

  /** Counts a request that goes to a service; otherwise which quota is used up. */
  request(exchange: object, address: string, school: string): InFlight | 'address' | 'school' {
    const partition = addressPartition(address);
    return this.#requests.full(partition, school) ?? this.#requests.enter(exchange, partition, school);
  }
}

/** Counts what is in flight, by address and by school. */
class InFlightCount<T> {
  readonly #quota: InFlightQuota;
  readonly #counted = new Map<string, Set<T>>();

  constructor(quota: InFlightQuota) {
    this.#quota = quota;
  }

  /** Which quota is used up, that of the address first; undefined when neither is. */
  full(address: string, school: string): 'address' | 'school' | undefined {
    if ((this.#counted.get(`a ${address}`)?.size ?? 0) >= this.#quota.ofAddress) return 'address';
    return (this.#counted.get(`s ${school}`)?.size ?? 0) >= this.#quota.ofSchool ? 'school' : undefined;
  }

  /** The oldest under the quota that is used up. */
  oldest(address: string, school: string): T | undefined {
    const of = this.full(address, school);
    if (!of) return undefined;
    const [first] = this.#counted.get(of === 'address' ? `a ${address}` : `s ${school}`)!;
    return first;
  }

  enter(counted: T, address: string, school: string): InFlight {
    const keys = [`a ${address}`, `s ${school}`];
    for (const key of keys) {
      const before = this.#counted.get(key);
      if (before) before.add(counted);
      else this.#counted.set(key, new Set([counted]));
    }
    return {
      leave: () => {
        for (const key of keys) {
          const among = this.#counted.get(key);
          if (among?.delete(counted) && among.size === 0) this.#counted.delete(key);
        }
      },
    };
  }
}
