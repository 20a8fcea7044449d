import { type Checkpoint, type Clock, UnknownEvent, isoTime } from '@lyceum/kernel';
import { collectionKey } from '../collection/declaration.ts';
import { checkpointOf, freshOf } from './fresh-commits.ts';
import type { Incoming, IncomingCommit } from './incoming.ts';
import { type Parked, parkedAt, parkedStream, parkedStreams, parking, redriveSource, unparking } from './parked.ts';
import { CheckpointFenced, type Write } from '../port.ts';
import type { History, ProjectorOptions } from './projector-options.ts';
import { EventRefused, WriteBuffer } from './write-buffer.ts';

/** A projection could not take an event; `cause` says why. Nothing was skipped: the checkpoint is before the event's batch. */
export class ProjectionFailed extends Error {
  override readonly name = 'ProjectionFailed';
  readonly stream: string;
  readonly lane: number;
  readonly position: number;

  constructor(
    collection: string,
    { stream, lane, position, more }: { stream: string; lane: number; position: number; more: number },
    cause: unknown,
  ) {
    const others = more > 0 ? `, nor ${more} other streams after it` : '';
    super(`${collection} cannot take position ${position} of lane ${lane} (stream ${stream})${others}`, { cause });
    this.stream = stream;
    this.lane = lane;
    this.position = position;
  }
}

/** How a redrive ended: everything applied and the stream flowing, or parked again. */
export interface Redriven {
  readonly applied: number;
  /** Where the stream is parked now; undefined = it flows. */
  readonly parked: Parked | undefined;
}

type Options = ProjectorOptions & { readonly clock: Clock; readonly tries: number };

/** How often in a row a batch may be overtaken before the caller waits: without it, two projectors could chase each other. */
const mostFenced = 5;

/** Events re-applied in one write. */
const redriveBatch = 256;

const streamKey = (tenant: string, stream: string): string => `${tenant}\0${stream}`;

/** One lane of a projector: one thing at a time, whether a batch or a redrive. */
export class LaneProjector {
  readonly #lane: number;
  readonly #options: Options;
  #checkpoint: Checkpoint | undefined;
  #parked: Map<string, Parked> | undefined;
  /** Passes in a row that met events which the projection cannot take. */
  #refusals = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(lane: number, options: Options) {
    this.#lane = lane;
    this.#options = options;
  }

  /** Where to go on, as it is stored: another process may have had the lane meanwhile, so nothing is remembered of before. */
  from(): Promise<Checkpoint> {
    return this.#alone(() => {
      this.#checkpoint = this.#parked = undefined;
      return this.stored();
    });
  }

  /** Up to where the lane has been applied, by whichever process. */
  stored(): Promise<Checkpoint> {
    const { documents, projection, source } = this.#options;
    return documents.checkpointOf(projection.collection, source, this.#lane);
  }

  handle(batch: readonly IncomingCommit[]): Promise<void> {
    return this.#alone(() => this.#overtaken(() => this.#apply(batch)));
  }

  async redrive(tenant: string, stream: string): Promise<Redriven> {
    const { history } = this.#options;
    if (!history) throw new TypeError('this projector cannot read history, so it cannot redrive');
    for (let applied = 0; ;) {
      const step = await this.#alone(() => this.#overtaken(() => this.#redriveStep(tenant, stream, history)));
      applied += step.applied;
      if (step.done) return { applied, parked: step.parked };
    }
  }

  /** Runs one piece of work after the one before it. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work, work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  /** Repeats work that another projector overtook, from what is stored now. */
  async #overtaken<T>(work: () => Promise<T>): Promise<T> {
    for (let fenced = 1; ; fenced += 1)
      try {
        return await work();
      } catch (error) {
        // Whatever failed: what is stored is the truth now.
        if (!(error instanceof ProjectionFailed)) this.#checkpoint = this.#parked = undefined;
        if (!(error instanceof CheckpointFenced) || fenced >= mostFenced) throw error;
      }
  }

  async #apply(batch: readonly IncomingCommit[]): Promise<void> {
    const { documents, projection, source, onApplied, onParked } = this.#options;
    const { position: at } = (this.#checkpoint ??= await this.stored());
    const commits = freshOf(this.#lane, batch, at);
    const last = commits.at(-1);
    if (!last) return;
    const to = checkpointOf(last);
    const buffer = new WriteBuffer(documents, projection);
    const held = await this.#fold(buffer, commits);
    const writes = [...buffer.writes(), ...Array.from(held.values(), parking)];
    await documents.apply(projection.collection, source, this.#lane, at, to, writes);
    this.#checkpoint = to;
    this.#refusals = 0;
    for (const [key, parked] of held) {
      if (!this.#parked!.has(key)) onParked?.(parked);
      this.#parked!.set(key, parked);
    }
    onApplied?.(this.#lane, to.position);
  }

  /** Folds what flows; gives the streams that wait, with what the commits add to them. */
  async #fold(buffer: WriteBuffer, commits: readonly IncomingCommit[]): Promise<Map<string, Parked>> {
    const parked = await this.#parkedStreams();
    const held = new Map<string, Parked>();
    const refusals: EventRefused[] = [];
    for (const { events } of commits)
      for (const event of events) {
        const key = held.size + parked.size > 0 ? streamKey(event.tenant, event.stream) : '';
        const waiting = held.get(key) ?? parked.get(key);
        if (waiting) held.set(key, { ...waiting, count: waiting.count + 1 });
        else {
          const trying = refusal(buffer, event);
          const refused = trying instanceof Promise ? await trying : trying;
          if (!refused) continue;
          refusals.push(refused);
          held.set(streamKey(event.tenant, event.stream), this.#held(refused));
        }
      }
    this.#throwUnlessTried(refusals);
    return held;
  }

  #held({ event, cause }: EventRefused): Parked {
    const { source, clock } = this.#options;
    return parkedAt(source, this.#lane, event, cause, isoTime(clock.now()));
  }

  /** All streams that break in a pass are tried, and then parked, together: many of them wait no longer than one. */
  #throwUnlessTried([first, ...more]: readonly EventRefused[]): void {
    if (!first) return;
    const { tries, projection } = this.#options;
    const unknown = [first, ...more].find(({ cause }) => cause instanceof UnknownEvent);
    const { event, cause } = unknown ?? first;
    const { stream, position } = event;
    // What a newer release wrote is no poison: the lane waits until a newer one takes its place.
    if (!unknown) this.#refusals = Math.min(this.#refusals + 1, tries);
    if (!unknown && this.#refusals === tries) return;
    const name = collectionKey(projection.collection);
    throw new ProjectionFailed(name, { stream, lane: this.#lane, position, more: more.length }, cause);
  }

  async #parkedStreams(): Promise<Map<string, Parked>> {
    const { documents, projection, source } = this.#options;
    if (this.#parked) return this.#parked;
    const all = await parkedStreams(documents, projection.collection);
    const own = all.filter((each) => each.source === source && each.lane === this.#lane);
    return (this.#parked = new Map(own.map((each) => [streamKey(each.tenant, each.stream), each])));
  }

  /** One write of a redrive: the next events that wait, or the end of the waiting. */
  async #redriveStep(
    tenant: string,
    stream: string,
    history: History,
  ): Promise<{ readonly applied: number; readonly done: boolean; readonly parked?: Parked }> {
    const { documents, projection, source } = this.#options;
    const { collection } = projection;
    const lane = this.#lane;
    const parked = await parkedStream(documents, collection, { source, tenant, stream });
    if (!parked) return { applied: 0, done: true };
    const side = redriveSource(source, tenant, stream);
    const redriven = await documents.checkpoint(collection, side, lane);
    const here = (this.#checkpoint = await documents.checkpointOf(collection, source, lane));
    const { position: at } = here;
    const version = Math.max(parked.version - 1, redriven);
    const waiting = await history({ lane, tenant, stream, version, position: parked.position, until: at });
    if (waiting.length === 0) {
      // Fenced by the lane's own checkpoint: the process that moved it meanwhile may have held more of the stream back.
      await documents.apply(collection, source, lane, at, here, [unparking(parked)]);
      (await this.#parkedStreams()).delete(streamKey(tenant, stream));
      return { applied: 0, done: true };
    }
    const buffer = new WriteBuffer(documents, projection);
    const taken = waiting.slice(0, redriveBatch);
    const { applied, again } = await this.#takeAgain(buffer, taken, waiting.length, parked);
    const writes: readonly Write[] = again ? [...buffer.writes(), parking(again)] : buffer.writes();
    const to = applied === 0 ? redriven : taken[applied - 1]!.version;
    await documents.apply(collection, side, lane, redriven, to, writes);
    if (again) this.#parked?.set(streamKey(tenant, stream), again);
    return again ? { applied, done: true, parked: again } : { applied, done: false };
  }

  async #takeAgain(buffer: WriteBuffer, events: readonly Incoming[], waiting: number, parked: Parked) {
    for (const [applied, event] of events.entries()) {
      const refused = await refusal(buffer, event);
      if (!refused) continue;
      const { source, lane, since } = parked;
      return { applied, again: { ...parkedAt(source, lane, event, refused.cause, since), count: waiting - applied } };
    }
    return { applied: events.length, again: undefined };
  }
}

type Refusal = EventRefused | undefined;

/** Synchronous when the buffer is: waiting for nothing costs more than most events. */
function refusal(buffer: WriteBuffer, event: Incoming): Refusal | Promise<Refusal> {
  try {
    return buffer.take(event)?.then(() => undefined, refusedOrThrow);
  } catch (error) {
    return refusedOrThrow(error);
  }
}

function refusedOrThrow(error: unknown): EventRefused {
  if (error instanceof EventRefused) return error;
  throw error;
}
