import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { type Checkpoint, type Clock, UnknownEvent, isoTime, systemClock } from '@lyceum/kernel';
import type { Incoming, IncomingCommit } from '../projector/incoming.ts';
import { checkpointOf, freshOf } from '../projector/fresh-commits.ts';
import { type Parked, parkedAt, parkedStreams, parking } from '../projector/parked.ts';
import type { Documents, Write } from '../port.ts';
import type { Projection } from '../projection.ts';
import { forgetting, recordsOf, undo } from './undo.ts';
import { EventRefused, WriteBuffer } from '../projector/write-buffer.ts';

/** What a build works with. */
export interface BuilderOptions {
  readonly documents: Documents;
  /** Its collection is the build's own; nobody else writes to it. What another builder left there is gone on with. */
  readonly projection: Projection;
  readonly source: string;
  /** Part of the time that the build may take, from above 0 to 1, so that reads stay fast beside it; 1 when not given. */
  readonly share?: number;
  /** Documents held in memory between two writes, all lanes together; 20,000 when not given. */
  readonly held?: number;
  readonly clock?: Clock;
}

/** Builds a collection from a source, many events per write. */
export interface Builder {
  /** Where to go on with a lane. */
  from(lane: number): Promise<Checkpoint>;
  /** Folds commits of one lane, ascending. What they lead to is written later, or by `flush`. Throws `ProjectionGap`. */
  handle(lane: number, batch: readonly IncomingCommit[]): Promise<void>;
  /** Writes everything that was handled. */
  flush(): Promise<void>;
  /** The build is of no use any more, for this reason. */
  abandon(reason: Error): void;
  /** Never resolves; rejects with the first failure, after which nothing more is written. */
  readonly failed: Promise<never>;
  /** Resolves when nothing is being written, and nothing will be. */
  close(): Promise<void>;
  /** Whether it has got further than what it found. */
  readonly hasMoved: boolean;
}

/** Documents in one write: what a read beside the build waits for at most. */
const writeSize = 250;

/** Neighbours in the store are written together, which touches fewer of its pages. */
const byKey = (a: Write, b: Write): number =>
  a.tenant === b.tenant ? (a.id < b.id ? -1 : 1) : a.tenant < b.tenant ? -1 : 1;

interface Lane {
  readonly buffer: WriteBuffer;
  readonly parked: Map<string, Parked>;
  /** What is stored, with the parked streams there, and what has been folded. */
  stored: Checkpoint;
  storedParked: ReadonlyMap<string, Parked>;
  folded: Checkpoint;
}

/**
 * Starts a build, or goes on with one that was cut off: what is stored beyond a checkpoint is taken back first, by records
 * that are stored with it. An event that the projection cannot take parks its stream at once: trying again is for the live
 * model.
 */
export function builder(options: BuilderOptions): Builder {
  const { documents, projection, source, share = 1, held = 20_000, clock = systemClock } = options;
  const { collection } = projection;
  const lanes = new Map<number, Lane>();
  const opening = new Map<number, Promise<Lane>>();
  let turnOf: Promise<void> = Promise.resolve();
  let began = performance.now();
  let [isClosed, hasMoved] = [false, false];

  const open = async (lane: number): Promise<Lane> => {
    // Looked at before all else: from here on another process that writes under this checkpoint is noticed.
    const stored = await documents.checkpointOf(collection, source, lane);
    await undo(documents, collection, { source, lane, at: stored });
    const parked = stored.position > 0 ? await parkedStreams(documents, collection) : [];
    const own = parked.filter((each) => each.source === source && each.lane === lane);
    const opened = {
      buffer: new WriteBuffer(documents, projection, { isFirst: stored.position === 0 }),
      parked: new Map(own.map((each) => [streamKey(each), each])),
      stored,
      storedParked: new Map(own.map((each) => [streamKey(each), each])),
      folded: stored,
    };
    lanes.set(lane, opened);
    return opened;
  };

  const laneOf = (lane: number): Promise<Lane> => {
    const known = opening.get(lane) ?? open(lane);
    opening.set(lane, known);
    known.catch(() => opening.delete(lane));
    return known;
  };

  /** Gives way to whatever else the process has to do. */
  const breathe = async (): Promise<void> => {
    const busy = performance.now() - began;
    await (share < 1 ? pause((busy * (1 - share)) / share) : turn());
    began = performance.now();
  };

  const write = async (lane: number, state: Lane): Promise<void> => {
    const { buffer, parked, storedParked, stored, folded } = state;
    const writes: readonly Write[] = [...buffer.writes(), ...parkedWrites(parked, storedParked)].sort(byKey);
    let records = 0;
    for (let start = 0; start < writes.length - writeSize; start += writeSize) {
      const part = writes.slice(start, start + writeSize);
      const undoing = recordsOf(lane, records, part);
      await documents.apply(collection, source, lane, stored.position, stored, [...part, ...undoing]);
      records += undoing.length;
      await breathe();
      if (isClosed) return;
    }
    const last = writes.slice(Math.floor(Math.max(0, writes.length - 1) / writeSize) * writeSize);
    const done = [...last, ...forgetting(lane, records)];
    await documents.apply(collection, source, lane, stored.position, folded, done);
    state.stored = folded;
    state.storedParked = new Map(parked);
    hasMoved = true;
    await breathe();
  };

  const writeNew = async (lane: number, state: Lane): Promise<void> => {
    if (!isClosed && state.folded.position > state.stored.position) await write(lane, state);
  };

  const flush = async (): Promise<void> => {
    for (const [lane, state] of lanes) await writeNew(lane, state);
  };

  /** Makes room in memory. Lanes that were not handled lately come first: as a rule they are read to their end. */
  const release = async (): Promise<void> => {
    for (const [lane, state] of lanes) {
      if (heldIn(lanes) < held / 2) return;
      await writeNew(lane, state);
      state.buffer.clear();
    }
  };

  let reject: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_resolve, no) => (reject = no));
  failed.catch(() => undefined);

  /** Lanes share one budget, so one at a time. After a failure memory and store may differ, so nothing goes on. */
  const alone = (work: () => Promise<void>): Promise<void> => {
    turnOf = turnOf.then(work);
    turnOf.catch(reject);
    return turnOf;
  };

  return {
    abandon: (reason) => reject(reason),
    from: async (lane) => (await laneOf(lane)).folded,
    handle: (lane, batch) =>
      alone(async () => {
        const state = await laneOf(lane);
        began = performance.now();
        if (isClosed) return;
        // The last of all.
        lanes.delete(lane);
        lanes.set(lane, state);
        const commits = freshOf(lane, batch, state.folded.position);
        for (const commit of commits) {
          for (const event of commit.events) {
            const taking = take(state, event, { source, lane, clock });
            // A build reads nothing at first, and waiting for nothing costs more than the rest.
            if (taking) await taking;
          }
          state.folded = checkpointOf(commit);
        }
        await breathe();
        if (heldIn(lanes) >= held) await release();
      }),
    flush: () => alone(flush),
    failed,
    async close() {
      isClosed = true;
      await turnOf.catch(() => undefined);
    },
    get hasMoved() {
      return hasMoved;
    },
  };
}

/** The parked streams to be written, with what is stored of each. */
const parkedWrites = (parked: ReadonlyMap<string, Parked>, stored: ReadonlyMap<string, Parked>): readonly Write[] =>
  Array.from(parked, ([key, each]) => {
    const before = stored.get(key);
    return { ...parking(each), ...(before && { before: parking(before).body! }) };
  });

const heldIn = (lanes: ReadonlyMap<number, Lane>): number => {
  let sum = 0;
  for (const { buffer } of lanes.values()) sum += buffer.size;
  return sum;
};

interface From {
  readonly source: string;
  readonly lane: number;
  readonly clock: Clock;
}

/** Folds one event, or keeps it back. Synchronous unless a document has to be read. */
function take(state: Lane, event: Incoming, from: From): void | Promise<void> {
  const key = state.parked.size > 0 ? streamKey(event) : '';
  const waiting = state.parked.get(key);
  if (waiting) return void state.parked.set(key, { ...waiting, count: waiting.count + 1 });
  try {
    return state.buffer.take(event)?.catch((error: unknown) => park(state, event, from, error));
  } catch (error) {
    park(state, event, from, error);
  }
}

/** Throws what is no refusal. */
function park(state: Lane, event: Incoming, { source, lane, clock }: From, error: unknown): void {
  // What a newer release wrote is no poison: the build waits for one that knows it.
  if (!(error instanceof EventRefused) || error.cause instanceof UnknownEvent) throw error;
  state.parked.set(streamKey(event), parkedAt(source, lane, event, error.cause, isoTime(clock.now())));
}

const streamKey = ({ tenant, stream }: Pick<Incoming, 'tenant' | 'stream'>): string => `${tenant}\0${stream}`;
