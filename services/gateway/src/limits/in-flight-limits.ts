import { addressPartition } from '@lyceum/web';
import { InFlightCount, type InFlight, type InFlightQuota } from './in-flight-count.ts';

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
