import { addressPartition } from '@lyceum/web';
import { InFlightCount, type Member, type InFlightQuota } from './in-flight-count.ts';

/** Bodies that are on their way at once. */
const bodies: InFlightQuota = { ofAddress: 64, ofSchool: 512 };
/** Requests that services work on, or whose answers are not taken yet. */
const requests: InFlightQuota = { ofAddress: 256, ofSchool: 2_000 };

/** Ends the wait for a body. */
type Giving = () => void;

/** How much of the edge an address, and a school, may have at once; nobody else's part is touched. */
export class InFlightLimits {
  readonly #bodies: InFlightCount<Giving>;
  readonly #requests: InFlightCount<object>;

  constructor(rooms: { readonly bodies?: InFlightQuota; readonly requests?: InFlightQuota } = {}) {
    this.#bodies = new InFlightCount(rooms.bodies ?? bodies);
    this.#requests = new InFlightCount(rooms.requests ?? requests);
  }

  /** A body begins to come. Where there are too many, the one that takes longest gives way: an honest one is there at once. */
  body(giveUp: Giving, address: string, school: string): Member {
    const partition = addressPartition(address);
    this.#bodies.oldest(partition, school)?.();
    return this.#bodies.enter(giveUp, partition, school);
  }

  /** A request goes to a service; or whose number is used up. */
  request(exchange: object, address: string, school: string): Member | 'address' | 'school' {
    const partition = addressPartition(address);
    return this.#requests.full(partition, school) ?? this.#requests.enter(exchange, partition, school);
  }
}
