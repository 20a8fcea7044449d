import type { FactSource } from '@lyceum/contracts';

/** An integration event with its envelope, on its way into a state. */
export interface Delivery {
  readonly source: FactSource;
  readonly tenant: string;
  /** When it was committed, RFC 3339 UTC. */
  readonly at: string;
  /** When it came into the log of its source (RFC 3339 UTC), where that was later. */
  readonly arrived?: string | undefined;
  readonly lane: number;
  readonly position: number;
  readonly fact: { readonly type: string; readonly data: unknown };
}

/** A piece of a state: what stands under the same id before is replaced by it. */
export interface Snapshot<Body = unknown> {
  /** Letters, digits and `_`, unique in all sources of the state. */
  readonly id: string;
  readonly source: FactSource;
  /** Of no use from then on; milliseconds. */
  readonly until?: number;
  /** It may be replaced, but is never over: there is one for each of a hundred thousand schools, and many are kept as one. */
  readonly isLasting?: true;
  /** Plain JSON. */
  readonly body: Body;
}

/** State in memory over the integration events of services: what of it is worth keeping over a restart, it says by itself. */
export interface FollowedState<Body = unknown> {
  /** Comes before anything else of a lane: what is told next of it counts in this epoch of its source's log. */
  begin?(lane: number, epoch: string | undefined): void;
  /** Takes in an event, and gives the pieces that it changed. It must bear repetition. */
  apply(delivery: Delivery): readonly Snapshot<Body>[];
  /** Takes in a piece that was kept of a lane. */
  recall(snapshot: Snapshot<Body>, lane: number): void;
  /** What a source said belongs to another epoch of its log, or to another history. Then it tells everything anew. */
  forget(source: FactSource): void;
}
