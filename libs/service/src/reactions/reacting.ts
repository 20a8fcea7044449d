import type { Incoming, IncomingCommit } from '@lyceum/documents';
import { type Checkpoint, isoTime } from '@lyceum/kernel';
import { Checkpoints } from '../checkpoints.ts';
import type { OperatedProcess } from '../process/operated-process.ts';
import { HeldWork, type Owed } from './held-work.ts';
import { KeptProgress } from './kept-progress.ts';
import { type LaneReaction, type ReactingPorts, performTraced } from './lane-reaction.ts';
import type { Work } from './work-pool.ts';

/** An event that something is to follow from, and how that goes. */
interface Item extends Owed, Work {
  event: Incoming | undefined;
  failures: number;
  error: string | null;
  since: string;
  isHeld: boolean;
  /** Its commit belongs to another history of the source. */
  isGone?: boolean;
  /** Lets its lane's place go on; called once. */
  settle(): void;
}

/** Something is held, and shown to operators, when it has failed so often in a row. */
const tries = 5;
const usualBackoff = (failures: number): number => Math.min(50 * 2 ** failures, 60_000);
/** While more than so much is owed, events are read again when it is their turn. */
const mostKept = 2_000;

/**
 * Takes the commits of a source, lane by lane, and has a pool do what follows. No lane waits for what follows from it: its
 * place is where everything before is done, so that after a crash what was owed is found again. What fails too often is
 * held in a document and tried again from time to time: only what has the same key waits for it.
 */
export class Reacting {
  readonly #reaction: LaneReaction;
  readonly #ports: ReactingPorts;
  readonly #checkpoints: Checkpoints;
  readonly #held: HeldWork;
  readonly #lanes = new Map<number, KeptProgress>();
  readonly #items = new Set<Item>();
  #idle: (() => void)[] = [];

  private constructor(reaction: LaneReaction, ports: ReactingPorts, checkpoints: Checkpoints, held: HeldWork) {
    this.#reaction = reaction;
    this.#ports = ports;
    this.#checkpoints = checkpoints;
    this.#held = held;
  }

  /** Reads its checkpoints, and begins when lanes are given to it. */
  static async open(reaction: LaneReaction, ports: ReactingPorts): Promise<Reacting> {
    const { name, source } = reaction;
    const checkpoints = await Checkpoints.open(ports.documents, source, name);
    return new Reacting(reaction, ports, checkpoints, await HeldWork.open(ports.documents, name));
  }

  /** Where to go on in a lane: behind all that was taken here or done anywhere. What is held of the lane is taken up. */
  async from(index: number, of: string | undefined): Promise<Checkpoint> {
    const epoch = of ?? null;
    const known = this.#lanes.get(index);
    // Checkpoints of the epoch before do not count in this one.
    if (known && known.epoch !== epoch) await known.retire();
    const saved = await this.#checkpoints.from(index, of);
    if (known?.epoch === epoch && known.taken.position >= saved.position) return known.taken;
    const held = await this.#held.of(this.#reaction.source, epoch, index);
    this.#lanes.set(index, this.#progress(index, epoch, saved));
    const mine = new Set([...this.#items].filter(({ lane }) => lane === index).map(placeOf));
    for (const each of held)
      if (!mine.has(placeOf(each)))
        this.#add({ ...each, event: each.event ?? undefined, failures: tries, isHeld: true, settle: () => undefined });
    return saved;
  }

  /** The source has another history: nothing more is to follow from the one before, and the lane begins anew. */
  async diverged(index: number): Promise<void> {
    const known = this.#lanes.get(index);
    this.#lanes.delete(index);
    await known?.retire();
    for (const item of this.#items) if (item.lane === index) item.isGone = true;
    for (const held of await this.#held.of(this.#reaction.source, known?.epoch ?? null, index))
      await this.#held.release(held);
    await this.#checkpoints.reset(index);
  }

  /** Takes the next commits of a lane; waits only while there is no room for more. */
  async take(index: number, commits: readonly IncomingCommit[]): Promise<void> {
    const lane = this.#lanes.get(index)!;
    for (const commit of commits) {
      await this.#ports.pool.room();
      if (this.#ports.closing.aborted) return;
      if (commit.position > lane.taken.position) await this.#takeOne(lane, index, commit);
    }
    await lane.passed();
  }

  /** Resolves when everything that was taken is done. */
  async idle(): Promise<void> {
    while (this.#items.size > 0 && !this.#ports.closing.aborted)
      await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** What failed too often, and still does. */
  stuck(): Awaited<ReturnType<OperatedProcess['stuck']>> {
    return [...this.#items].flatMap(({ tenant, correlation, error, since, failures }) =>
      error === null || failures < tries ? [] : [{ tenant, correlation, error, since }],
    );
  }

  /** Has what is stuck tried again at once. */
  resume(tenant: string, correlation: string): void {
    for (const item of this.#items)
      if (item.tenant === tenant && item.correlation === correlation) this.#ports.pool.hurry(tenant, item.key);
  }

  /** Keeps how far it came. */
  async close(): Promise<void> {
    this.#wake();
    await Promise.all([...this.#lanes.values()].map((lane) => lane.close()));
  }

  #progress(lane: number, epoch: string | null, from: Checkpoint): KeptProgress {
    const { logger, closing } = this.#ports;
    const said = { lane, consumer: this.#reaction.name };
    const onError = (err: unknown) =>
      logger.error({ ...said, err }, 'a checkpoint could not be kept; it is tried again');
    return new KeptProgress({ checkpoints: this.#checkpoints, lane, epoch, from, closing, onError });
  }

  async #takeOne(lane: KeptProgress, index: number, commit: IncomingCommit): Promise<void> {
    const { position, commitId, traceparent, events } = commit;
    const owed = events.flatMap((event, at) => {
      const key = this.#reaction.key(event);
      return key === undefined ? [] : [{ event, key, index: at }];
    });
    const open = lane.take(position, owed.length, commitId);
    const { epoch } = lane;
    const since = isoTime(this.#ports.clock.now());
    for (const { event, key, index: at } of owed) {
      const { tenant } = event;
      const correlation = this.#reaction.correlation?.(event) ?? `${event.stream}@${event.version}`;
      const ahead = this.#itemsOf(tenant, key).at(-1);
      const item = this.#add({
        epoch,
        lane: index,
        position,
        index: at,
        tenant,
        key,
        correlation,
        traceparent,
        since,
        error: null,
        failures: 0,
        event: this.#reaction.reread && this.#items.size >= mostKept ? undefined : event,
        isHeld: false,
        settle: () => lane.finish(open),
      });
      // Otherwise the place would stand here for as long as the one ahead fails.
      if (ahead?.isHeld) await this.#hold(item);
    }
  }

  #add(given: Omit<Item, 'run'>): Item {
    const item: Item = { ...given, run: () => this.#run(item) };
    this.#items.add(item);
    this.#ports.pool.add(item);
    return item;
  }

  #itemsOf(tenant: string, key: string): readonly Item[] {
    return this.#ports.pool.of(tenant, key).filter((work): work is Item => this.#items.has(work as Item));
  }

  async #run(item: Item): Promise<number | undefined> {
    try {
      if (item.isGone) return this.#over(item);
      if (item.failures > 0 && (await this.#isDoneElsewhere(item))) return this.#over(item);
      const event = item.event ?? (await this.#reaction.reread!(item.lane, item.position))[item.index]!;
      await performTraced(this.#reaction, event, item, this.#ports.tracer);
      if (item.isHeld) await this.#held.release(this.#named(item));
      return this.#over(item);
    } catch (error) {
      return this.#ports.closing.aborted ? 0 : this.#failed(item, error);
    }
  }

  /** While it failed here, the lane may have gone to another process, which has done or holds it. */
  async #isDoneElsewhere(item: Item): Promise<boolean> {
    if (this.#lanes.get(item.lane)?.epoch !== item.epoch) return true;
    if (item.isHeld) return !(await this.#held.has(this.#named(item)));
    return (await this.#checkpoints.from(item.lane, item.epoch ?? undefined)).position >= item.position;
  }

  #over(item: Item): undefined {
    if (!item.isHeld) item.settle();
    this.#items.delete(item);
    if (this.#items.size === 0) this.#wake();
  }

  async #failed(item: Item, err: unknown): Promise<number> {
    const { logger, clock, backoff = usualBackoff } = this.#ports;
    const { lane, tenant, correlation } = item;
    const said = { err, lane, consumer: this.#reaction.name, school: tenant, correlation };
    logger.error(said, 'a reaction failed; it is tried again');
    if (item.failures === 0) item.since = isoTime(clock.now());
    item.failures += 1;
    item.error = described(err);
    if (item.failures >= tries)
      try {
        for (const each of this.#itemsOf(tenant, item.key)) await this.#hold(each);
      } catch (fault) {
        logger.error({ ...said, err: fault }, 'what failed cannot be held; it is tried again');
      }
    return backoff(item.failures);
  }

  /** Has the lane's place go on without it. */
  async #hold(item: Item): Promise<void> {
    if (item.isHeld) return;
    const { epoch, lane, position, index, tenant, key, correlation, traceparent, error, since } = item;
    const event = this.#reaction.reread ? null : item.event!;
    const owed = { epoch, lane, position, index, tenant, key, correlation, ...(traceparent && { traceparent }) };
    await this.#held.hold(this.#named({ ...owed, error, since, event }));
    item.isHeld = true;
    item.settle();
  }

  #named<T extends object>(owed: T): T & { readonly source: string } {
    return { ...owed, source: this.#reaction.source };
  }

  #wake(): void {
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

const placeOf = ({ epoch, lane, position, index }: Owed): string => JSON.stringify([epoch, lane, position, index]);

const described = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500);
