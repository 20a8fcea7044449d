import type { Channel, Subscribed } from '@lyceum/channel';
import type { FactSource } from '@lyceum/contracts';
import { type Checkpoint, type Clock, checkpointFrom } from '@lyceum/kernel';
import type { FollowedState } from './followed-state.ts';
import type { StateSnapshots } from './state-snapshots.ts';

/** Milliseconds after the start in which what was kept counts although nothing came from the source since. */
const keptCounts = 60 * 60_000;

/** What a source is followed with. */
export interface FollowedSourceOptions {
  readonly channel: Channel;
  readonly clock: Clock;
  /** Called when what was kept cannot be read. */
  readonly onError: (error: unknown) => void;
  readonly source: FactSource;
  /** Under what name it is followed: a lag is counted by it. */
  readonly consumer: string;
  readonly state: FollowedState;
  /** Keeps the state; without, each start reads all integration events from the beginning. */
  readonly snapshots?: StateSnapshots | undefined;
}

/** One service whose integration events a state is made of, and how much of it is known. */
export class FollowedSource {
  readonly source: FactSource;
  readonly #options: FollowedSourceOptions;
  readonly #began: number;
  readonly #feed: Subscribed;
  readonly #recalled: Promise<void>;
  /** The epoch of the log that each lane is followed in. */
  readonly #lives = new Map<number, string | undefined>();
  #isKept = false;
  #isHeard = false;

  constructor(options: FollowedSourceOptions) {
    const { channel, clock, consumer, onError, snapshots, source, state } = options;
    this.source = source;
    this.#options = options;
    this.#began = clock.now();
    this.#recalled = this.#recall().catch(onError);
    this.#feed = channel.subscribe({
      consumer,
      source,
      from: (lane, life) => this.#from(lane, life),
      diverged: () => this.#diverged(),
      kept: (lane) => this.#kept(lane),
      async handle({ tenant, at, arrived, lane, position, commitId, facts }) {
        const changed = facts.flatMap((fact) => state.apply({ source, tenant, at, arrived, lane, position, fact }));
        snapshots?.record(source, lane, { position, commitId }, changed);
      },
    });
    this.#readAnew();
  }

  /** Whether all of it is known as it was at some time since the start, or for an hour as it was kept before. */
  get isKnown(): boolean {
    return this.#isHeard || (this.#isKept && this.#options.clock.now() - this.#began < keptCounts);
  }

  /** Resolves when everything that the source had at the time of the call is known. */
  async caughtUp(): Promise<void> {
    await this.#feed.caughtUp();
    if (new Set(this.#lives.values()).size > 1) return;
    this.#isHeard = true;
    this.#options.snapshots?.complete(this.source);
  }

  close(): Promise<void> {
    return this.#feed.close();
  }

  async #recall(): Promise<void> {
    this.#isKept = (await this.#options.snapshots?.recall(this.source)) ?? false;
  }

  /** What was known belongs to another history of the log: it is discarded, and has to be read anew. */
  async #diverged(): Promise<void> {
    const { snapshots, state } = this.#options;
    this.#isHeard = this.#isKept = false;
    if (snapshots) await snapshots.diverged(this.source);
    else state.forget(this.source);
    this.#readAnew();
  }

  async #from(lane: number, life: string | undefined): Promise<number | Checkpoint> {
    const { snapshots, state } = this.#options;
    await this.#recalled;
    // Another epoch of the log: what was known is discarded, and has to be read anew.
    const isOther = [...this.#lives.values()].some((before) => before !== life);
    if (isOther) this.#isHeard = false;
    // What keeps snapshots does so itself. The first lane that is asked for in the new epoch does it for all.
    if (!snapshots && isOther && ![...this.#lives.values()].includes(life)) state.forget(this.source);
    if (snapshots?.epoch(this.source) !== life) this.#isKept = false;
    state.begin?.(lane, life);
    const position = (await snapshots?.from(this.source, lane, life)) ?? 0;
    this.#lives.set(lane, life);
    if (isOther) this.#readAnew();
    return position;
  }

  /** What is kept goes on with the events that are new since, while the source itself is away. */
  async #kept(lane: number): Promise<{ at: Checkpoint; epoch: string } | undefined> {
    await this.#recalled;
    const epoch = this.#options.snapshots?.epoch(this.source);
    if (!this.#isKept || epoch === undefined) return undefined;
    return { at: checkpointFrom(await this.#from(lane, epoch)), epoch };
  }

  /** Closed meanwhile: nobody needs to know. */
  #readAnew(): void {
    this.caughtUp().catch(() => undefined);
  }
}
