import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { type Checkpoint, type Clock, UnknownEvent, isoTime, systemClock } from '@lyceum/kernel';
import type { Incoming, IncomingCommit } from '../projector/incoming.ts';
import { checkpointOf, freshOf } from '../projector/fresh-commits.ts';
import { type Parked, parkedAt, parking } from '../projector/parked.ts';
import type { Documents, Write } from '../port.ts';
import type { Projection } from '../projection.ts';
import { EventRefused, WriteBuffer } from '../projector/write-buffer.ts';

/** What a build works with. */
export interface BuilderOptions {
  readonly documents: Documents;
  /** Its collection is the build's own and empty; nobody else writes to it. */
  readonly projection: Projection;
  readonly source: string;
  /** Part of the time that the build may take, from above 0 to 1, so that reads stay fast beside it; 1 when not given. */
  readonly share?: number;
  readonly clock?: Clock;
}

/** Builds a collection from the beginning of a source, many events per write. */
export interface Builder {
  from(lane: number): Promise<Checkpoint>;
  /** Folds commits of one lane, ascending. What they lead to is written later, or by `flush`. Throws `ProjectionGap`. */
  handle(lane: number, batch: readonly IncomingCommit[]): Promise<void>;
  /** Writes everything that was handled. */
  flush(): Promise<void>;
  /** The build is of no use any more, for this reason. */
  abandon(reason: Error): void;
  /** Never resolves; rejects with the first failure, after which the build is of no use. */
  readonly failed: Promise<never>;
}

/** Documents held in memory between two writes, all lanes together. */
const mostHeld = 20_000;

/** Documents in one write: what a read beside the build waits for at most. */
const writeSize = 250;

/** Neighbours in the store are written together, which touches fewer of its pages. */
const byKey = (a: Write, b: Write): number =>
  a.tenant === b.tenant ? (a.id < b.id ? -1 : 1) : a.tenant < b.tenant ? -1 : 1;

interface Lane {
  readonly buffer: WriteBuffer;
  readonly parked: Map<string, Parked>;
  /** What is stored, and what has been folded. */
  stored: number;
  folded: Checkpoint;
}

/**
 * Starts a build. An event that the projection cannot take parks its stream at once: trying again is for the live model.
 * A build that is cut off is never gone on with: its documents may be ahead of its checkpoint, so it is dropped.
 */
export function builder({ documents, projection, source, share = 1, clock = systemClock }: BuilderOptions): Builder {
  const { collection } = projection;
  const lanes = new Map<number, Lane>();
  let turnOf: Promise<void> = Promise.resolve();
  let began = performance.now();

  const laneOf = (lane: number): Lane => {
    const known = lanes.get(lane) ?? {
      buffer: new WriteBuffer(documents, projection, { isFirst: true }),
      parked: new Map(),
      stored: 0,
      folded: { position: 0 },
    };
    lanes.set(lane, known);
    return known;
  };

  /** Gives way to whatever else the process has to do. */
  const breathe = async (): Promise<void> => {
    const busy = performance.now() - began;
    await (share < 1 ? pause((busy * (1 - share)) / share) : turn());
    began = performance.now();
  };

  const write = async (lane: number, state: Lane): Promise<void> => {
    const writes: readonly Write[] = [...state.buffer.writes(), ...Array.from(state.parked.values(), parking)].sort(
      byKey,
    );
    for (let start = 0; start < writes.length - writeSize; start += writeSize) {
      const part = writes.slice(start, start + writeSize);
      await documents.apply(collection, source, lane, state.stored, state.stored, part);
      await breathe();
    }
    const last = writes.slice(Math.floor(Math.max(0, writes.length - 1) / writeSize) * writeSize);
    await documents.apply(collection, source, lane, state.stored, state.folded, last);
    state.stored = state.folded.position;
    await breathe();
  };

  const flush = async (): Promise<void> => {
    for (const [lane, state] of lanes) if (state.folded.position > state.stored) await write(lane, state);
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
    from: async (lane) => laneOf(lane).folded,
    handle: (lane, batch) =>
      alone(async () => {
        began = performance.now();
        const state = laneOf(lane);
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
        if (held(lanes) < mostHeld) return;
        await flush();
        for (const { buffer } of lanes.values()) buffer.clear();
      }),
    flush: () => alone(flush),
    failed,
  };
}

const held = (lanes: ReadonlyMap<number, Lane>): number => {
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

const streamKey = ({ tenant, stream }: Incoming): string => `${tenant}\0${stream}`;
