import type { EventTypes } from '@lyceum/kernel';
import { BoundedMap } from './bounded-map.ts';
import { natureOf } from './nature.ts';
import { catalogueOf } from './personal/plan.ts';
import type { EventLog } from './port.ts';

/** A stream as it was folded last. */
export interface KnownState<State> {
  readonly state: State;
  readonly version: number;
}

/** What a state is folded by. */
interface Folding {
  readonly events: EventTypes;
}

/**
 * The states of streams that were folded lately, so that the next replay begins there. In memory, bounded by their number;
 * states of events with personal fields are never kept, because they would outlive an erasure.
 */
export class States {
  readonly #kept: BoundedMap<string, KnownState<unknown> & { readonly by: object }>;
  readonly #personal = new WeakMap<object, boolean>();

  /** `most` states stay at least, twice as many at most. */
  constructor(most: number) {
    this.#kept = new BoundedMap(most);
  }

  get<State>(by: Folding, tenant: string, stream: string): KnownState<State> | undefined {
    const kept = this.#kept.get(nameOf(tenant, stream));
    return kept?.by === by ? (kept as KnownState<State> & { by: object }) : undefined;
  }

  set(by: Folding, tenant: string, stream: string, { state, version }: KnownState<unknown>): void {
    if (version > 0 && !this.#isPersonal(by)) this.#kept.set(nameOf(tenant, stream), { by, state, version });
  }

  #isPersonal({ events }: Folding): boolean {
    const known = this.#personal.get(events) ?? catalogueOf([events]).size > 0;
    this.#personal.set(events, known);
    return known;
  }
}

/** Neither a tenant nor a stream can contain NUL (see draft). */
const nameOf = (tenant: string, stream: string): string => `${tenant}\0${stream}`;

/**
 * The same log, whose replays begin at states that this process folded before: what came since is read each time, so they
 * are as consistent as without. Only where this process is the log's one writer: another log may be put in the place of
 * one on a server, and its streams may go on in another way.
 */
export const withStates = (log: EventLog, most = 5_000): EventLog =>
  log.looksOut
    ? log
    : {
        ...natureOf(log),
        ...(log.snapshots ? { snapshots: log.snapshots } : {}),
        states: new States(most),
        laneOf: (tenant) => log.laneOf(tenant),
        load: (...what) => log.load(...what),
        find: (tenant, commitId) => log.find(tenant, commitId),
        append: (append) => log.append(append),
        readLane: (...where) => log.readLane(...where),
        head: (lane) => log.head(lane),
        wake: (listener) => log.wake(listener),
        close: () => log.close(),
      };
