import type { Channel, Subscribed } from '@lyceum/channel';
import type { FactSource } from '@lyceum/contracts';
import { type Checkpoint, type Clock, checkpointFrom } from '@lyceum/kernel';
import type { FactDelivery, TrustSnapshot, TrustState } from '@lyceum/oauth';
import type { TrustSnapshots } from './trust-snapshots.ts';

/** Milliseconds after the start in which what was kept counts although nothing came from the source since. */
const keptCounts = 60 * 60_000;

interface SourcePorts {
  readonly channel: Channel;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** One service whose facts decide about tokens, and how much of it is known. */
export class TrustSource {
  readonly source: FactSource;
  readonly #clock: Clock;
  readonly #began: number;
  readonly #keeper: TrustSnapshots | undefined;
  readonly #state: TrustState;
  readonly #feed: Subscribed;
  readonly #recalled: Promise<void>;
  /** The epoch of the log that each lane is followed in. */
  readonly #lives = new Map<number, string | undefined>();
  #isKept = false;
  #isHeard = false;

  constructor(
    { channel, clock, onError }: SourcePorts,
    source: FactSource,
    state: TrustState,
    keeper: TrustSnapshots | undefined,
  ) {
    this.source = source;
    this.#clock = clock;
    this.#state = state;
    this.#began = clock.now();
    this.#keeper = keeper;
    this.#recalled = this.#recall().catch(onError);
    /** A fact that cannot be read may be a revocation: its school is let in no more, and the others of the lane go on. */
    const learned = (delivery: FactDelivery): readonly TrustSnapshot[] => {
      try {
        return state.apply(delivery);
      } catch (error) {
        onError(error);
        return state.apply({ ...delivery, fact: { type: 'FactsWithheld', data: {} } });
      }
    };
    this.#feed = channel.subscribe({
      consumer: 'trust',
      source,
      from: (lane, life) => this.#from(lane, life),
      diverged: () => this.#diverged(),
      kept: (lane) => this.#kept(lane),
      async handle({ tenant, at, lane, position, commitId, facts }) {
        const memories = facts.flatMap((fact) => learned({ source, tenant, at, position, fact }));
        keeper?.record(source, { lane, position, commitId }, memories);
      },
    });
    this.#readAnew();
  }

  /** Whether all of it is known as it was at some time since the start, or for an hour as it was kept before. */
  get isKnown(): boolean {
    return this.#isHeard || (this.#isKept && this.#clock.now() - this.#began < keptCounts);
  }

  /** Resolves when everything that the source had at the time of the call is known. */
  async caughtUp(): Promise<void> {
    await this.#feed.caughtUp();
    if (new Set(this.#lives.values()).size > 1) return;
    this.#isHeard = true;
    this.#keeper?.complete(this.source);
  }

  close(): Promise<void> {
    return this.#feed.close();
  }

  async #recall(): Promise<void> {
    this.#isKept = (await this.#keeper?.recall(this.source)) ?? false;
  }

  /** What was known belongs to another history of the log: it is discarded, and has to be read anew. */
  async #diverged(): Promise<void> {
    this.#isHeard = this.#isKept = false;
    if (this.#keeper) await this.#keeper.diverged(this.source);
    else this.#state.forget(this.source);
    this.#readAnew();
  }

  async #from(lane: number, life: string | undefined): Promise<number | Checkpoint> {
    await this.#recalled;
    // Another epoch of the log: what was known is discarded, and has to be read anew.
    const isOther = [...this.#lives.values()].some((before) => before !== life);
    if (isOther) this.#isHeard = false;
    // A keeper does so itself. The first lane that is asked for in the new epoch does it for all.
    if (!this.#keeper && isOther && ![...this.#lives.values()].includes(life)) this.#state.forget(this.source);
    if (this.#keeper?.epoch(this.source) !== life) this.#isKept = false;
    const position = (await this.#keeper?.from(this.source, lane, life)) ?? 0;
    this.#lives.set(lane, life);
    if (isOther) this.#readAnew();
    return position;
  }

  /** What is kept goes on with the facts that are new since, while the source itself is away. */
  async #kept(lane: number): Promise<{ at: Checkpoint; epoch: string } | undefined> {
    await this.#recalled;
    const epoch = this.#keeper?.epoch(this.source);
    if (!this.#isKept || epoch === undefined) return undefined;
    return { at: checkpointFrom(await this.#from(lane, epoch)), epoch };
  }

  /** Closed meanwhile: nobody needs to know. */
  #readAnew(): void {
    this.caughtUp().catch(() => undefined);
  }
}
