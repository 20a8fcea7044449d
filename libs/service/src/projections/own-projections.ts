import { setTimeout as delay } from 'node:timers/promises';
import { type ErasedAt, type Projection, type ReadModel, liveDocuments, purgedUpTo } from '@lyceum/documents';
import { begunTogether } from '../running/begun-together.ts';
import { inOneProcess } from '../running/leases.ts';
import type { ModulePorts } from '../module.ts';
import { projectLog } from './followed-projections.ts';
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

/** Milliseconds between two tries to finish what was left half done, at most. */
const longestWait = 5_000;

/** Milliseconds that readiness waits for the lease; then another process has it. */
const patience = 500;

/**
 * Runs the projections over the service's own log, and once they have caught up, `resume`. Of several processes one does
 * so at a time. A process without the role `consumer` only makes sure that it can read them.
 */
export async function projectOwn(
  ports: ModulePorts,
  service: string,
  slices: readonly Projected[],
  resume: () => Promise<void>,
): Promise<OwnProjections> {
  const { documents, leases, log } = ports;
  const projections = slices.flatMap((slice) => slice.projections ?? []);
  const live = await liveDocuments(documents);
  const purged: OwnProjections['purged'] = async (at, timeout) => {
    const erasing = projections.filter(({ erase }) => erase);
    const erased = { ...at, epoch: log.epoch };
    const all = erasing.map((projection) => purgedUpTo(live, projection, service, erased, timeout));
    return (await Promise.all(all)).every(Boolean);
  };
  if (!hasRole(ports, 'consumer')) {
    for (const { collection } of projections) await documents.open(collection);
    return { models: () => [], ready: () => Promise.resolve(), purged, close: () => Promise.resolve() };
  }
  const begin = () => projecting(ports, service, slices, resume);
  // Without the lease it reads what another process builds.
  if (leases) for (const { collection } of projections) await documents.open(collection);
  const wish = await inOneProcess(leases, 'projections', begin);
  return {
    models: () => wish.current()?.models() ?? [],
    purged,
    async ready() {
      for (;;) {
        for (let waited = 0; !wish.current() && waited < patience; waited += 20) await delay(20);
        const work = wish.current();
        try {
          return await work?.ready();
        } catch (error) {
          // The lease went to another process meanwhile, or comes back to this one: no failure of what is projected.
          if (!work?.isOver()) throw error;
          await delay(20);
        }
      }
    },
    close: () => wish.close(),
  };
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
  resume: () => Promise<void>,
): Promise<Omit<OwnProjections, 'purged'> & { isOver(): boolean }> {
  let isOver = false;
  const running = await begunTogether(
    slices
      .flatMap((slice) => slice.projections ?? [])
      .map((projection) => projectLog(ports, service, projection, previousOf(slices, projection))),
  );
  const caughtUp = async () => void (await Promise.all(running.map((each) => each.caughtUp())));
  let resumed: Promise<void> | undefined;
  const ready = async () => {
    await caughtUp();
    await (resumed ??= resume().catch((error: unknown) => {
      resumed = undefined;
      throw error;
    }));
    await caughtUp();
  };
  /** A log or documents that hold an election, or are away, when the lease comes here are no reason to leave it undone. */
  const finish = async () => {
    for (let wait = 100; ; wait = Math.min(wait * 2, longestWait)) {
      try {
        return await ready();
      } catch (err) {
        if (isOver) return;
        ports.logger.error({ err }, 'finishing what was left half done failed; it is tried again');
      }
      await delay(wait, undefined, { ref: false });
    }
  };
  if (ports.leases) void finish();
  return {
    isOver: () => isOver,
    models: () => running,
    ready,
    async close() {
      isOver = true;
      await Promise.all(running.map((each) => each.close()));
    },
  };
}
