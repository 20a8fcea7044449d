import { setTimeout as delay } from 'node:timers/promises';
import { type ErasedAt, type Projection, type ReadModel, liveDocuments, purgedUpTo } from '@lyceum/documents';
import type { EventLog, LaneSet } from '@lyceum/eventlog';
import { begunTogether } from '../running/begun-together.ts';
import { type Sharer, type Work, inShares } from '../running/leases.ts';
import type { ModulePorts } from '../module.ts';
import { projectLog } from './followed-projections.ts';
import { Finishing } from './finishing.ts';
import type { Projected } from './projected.ts';
import { hasRole } from '../roles.ts';

/** The read models over a service's own log. */
export interface OwnProjections {
  /** Those that this process keeps up to date at this moment. */
  models(): readonly ReadModel[];
  /** Resolves when what this process projects is up to date, and what was left half done is finished. */
  ready(): Promise<void>;
  /**
   * Whether, before the time is over, what readers get of every read model is without everybody who was erased up to a
   * position of the log, whichever process projects it.
   */
  purged(at: Omit<ErasedAt, 'epoch'>, timeout: number): Promise<boolean>;
  close(): Promise<void>;
}

/** Milliseconds that readiness waits for a part of the lanes; then other processes have them. */
const patience = 500;

/** Milliseconds between looks at what other processes have projected. */
const everySecond = 1_000;

/**
 * Runs the projections over the service's own log, and once they have caught up, `resume`. Several processes share the
 * lanes, and one of them resumes. A process without the role `consumer` only makes sure that it can read them.
 */
export async function projectOwn(
  ports: ModulePorts,
  service: string,
  slices: readonly Projected[],
  resume?: () => Promise<void>,
): Promise<OwnProjections> {
  const { documents, leases, log } = ports;
  const projections = slices.flatMap((slice) => slice.projections ?? []);
  const live = await liveDocuments(documents);
  const reached = async (all: readonly Projection[], at: Omit<ErasedAt, 'epoch'>, timeout: number) => {
    const erased = { ...at, epoch: log.epoch };
    const each = all.map((projection) => purgedUpTo(live, projection, service, erased, timeout));
    return (await Promise.all(each)).every(Boolean);
  };
  const erasing = projections.filter(({ erase }) => erase);
  const purged: OwnProjections['purged'] = (at, timeout) => reached(erasing, at, timeout);
  if (!hasRole(ports, 'consumer')) {
    for (const { collection } of projections) await documents.open(collection);
    return { models: () => [], ready: () => Promise.resolve(), purged, close: () => Promise.resolve() };
  }
  // What others project it reads as well.
  if (leases) for (const { collection } of projections) await documents.open(collection);
  const reachedBy = (lane: number, position: number) => reached(projections, { lane, position }, 0);
  let finishing: Finishing | undefined;
  const sharer: Sharer<Projecting> = await inShares(leases, 'projections', {
    lanes: log.lanes,
    form: projections.map(({ collection: { name, version } }) => `${name}@${version}`).join(),
    begin: (lanes) => projecting(ports, service, slices, lanes),
    ...(resume && {
      async lead() {
        const { logger } = ports;
        const caughtUp = (signal: AbortSignal) => everywhere({ log, sharer, reachedBy, signal });
        finishing = new Finishing({ logger, caughtUp, resume });
        if (leases) void finishing.keepTrying();
        return finishing;
      },
    }),
  });
  return {
    models: () => sharer.current()?.models ?? [],
    purged,
    ready: () => untilReady(log, sharer, async () => finishing?.done()),
    close: () => sharer.close(),
  };
}

/** The projections of the lanes of this process. */
interface Projecting extends Work {
  readonly models: readonly ReadModel[];
  readonly isOver: boolean;
  caughtUp(): Promise<void>;
}

const holdsAll = ({ lanes }: EventLog, sharer: Sharer): boolean =>
  [...Array(lanes).keys()].every((lane) => sharer.has(lane));

/** Resolves when this process's part has caught up, and what waits for all of it is finished, where all of it is this one's. */
async function untilReady(log: EventLog, sharer: Sharer<Projecting>, finished: () => Promise<void>): Promise<void> {
  for (;;) {
    for (let waited = 0; !sharer.current() && waited < patience; waited += 20) await delay(20);
    const work = sharer.current();
    try {
      await work?.caughtUp();
      // Readiness waits for no other process.
      if (!work || !holdsAll(log, sharer)) return;
      await finished();
      return await work.caughtUp();
    } catch (error) {
      // The lanes went to another process meanwhile, or come back to this one: no failure of what is projected.
      if (!work?.isOver) throw error;
      await delay(20);
    }
  }
}

interface Everywhere {
  readonly log: EventLog;
  readonly sharer: Sharer<Projecting>;
  reachedBy(lane: number, position: number): Promise<boolean>;
  readonly signal: AbortSignal;
}

/**
 * Resolves when all lanes are projected up to where they are now, by whichever process. They are looked at side by side, which
 * the documents answer together.
 */
async function everywhere({ log, sharer, reachedBy, signal }: Everywhere): Promise<void> {
  const reached = async (lane: number): Promise<void> => {
    const head = await log.head(lane);
    while (!signal.aborted) {
      const work = sharer.current();
      if (work && holdsAll(log, sharer)) return work.caughtUp();
      if (await reachedBy(lane, head)) return;
      await delay(everySecond, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: log.lanes }, (_, lane) => reached(lane)));
}

/** The projection of the version before, where a slice gives it. */
export const previousOf = (
  slices: readonly Pick<Projected, 'previousProjections'>[],
  { collection }: Projection,
): Projection | undefined =>
  slices
    .flatMap(({ previousProjections = [] }) => previousProjections)
    .find((each) => each.collection.name === collection.name);

async function projecting(
  ports: ModulePorts,
  service: string,
  slices: readonly Projected[],
  lanes: LaneSet | undefined,
): Promise<Projecting> {
  let isOver = false;
  const models = await begunTogether(
    slices
      .flatMap((slice) => slice.projections ?? [])
      .map((projection) => projectLog(ports, service, projection, previousOf(slices, projection), lanes)),
  );
  return {
    models,
    get isOver() {
      return isOver;
    },
    caughtUp: async () => void (await Promise.all(models.map((each) => each.caughtUp()))),
    async close() {
      isOver = true;
      await Promise.all(models.map((each) => each.close()));
    },
  };
}
