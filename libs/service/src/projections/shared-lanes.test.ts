import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Documents,
  type Feed,
  type Projection,
  type ReadModel,
  incomingFromCommit,
  liveDocuments,
  memoryDocuments,
  readModel,
} from '@lyceum/documents';
import { type EventLog, LaneSet, followLog, memoryEventLog } from '@lyceum/eventlog';
import { until } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { ModulePorts } from '../module.ts';
import { documentLeases } from '../running/document-leases/document-leases.ts';
import { type OwnProjections, projectOwn } from './own-projections.ts';

const lanes = 4;
const all = [...Array(lanes).keys()];
const countsOf = (version: number): Projection => ({
  collection: { name: 'counts', version, fields: {} },
  key: ({ stream }) => stream,
  project: (_event, before) => ({ count: Number(before?.['count'] ?? 0) + version }),
});

/** A tenant in each lane. */
const tenantsOf = (log: EventLog): readonly string[] =>
  all.map((lane) => Array.from({ length: 500 }, (_, n) => `school_${n}`).find((each) => log.laneOf(each) === lane)!);

const write = async (log: EventLog, tenant: string): Promise<void> =>
  void (await log.append({
    tenant,
    expectations: [],
    events: [{ stream: 'course_1', type: 'Named', schema: 1, data: {} }],
    commitId: randomUUID(),
    fingerprint: '',
    at: '2026-01-05T08:00:00.000Z',
    meta: { actor: 'test' },
  }));

/** The documents as one process sees them: which lanes it has moved last, of which collection. */
function noting(documents: Documents) {
  const moved = new Set<string>();
  const apply: Documents['apply'] = async (collection, source, lane, ...move) => {
    await documents.apply(collection, source, lane, ...move);
    moved.add(`${collection.name} ${lane}`);
  };
  const seen = new Proxy(documents, {
    get(target, name: keyof Documents) {
      if (name === 'apply') return apply;
      // Other processes use them, too.
      if (name === 'exclusive') return undefined;
      const value = target[name];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { documents: seen, moved };
}

describe('read models whose lanes processes share', () => {
  let log: EventLog;
  let documents: Documents;
  let tenants: readonly string[];
  const running: { close(): Promise<void> }[] = [];
  beforeEach(() => {
    log = memoryEventLog({ lanes });
    documents = memoryDocuments();
    tenants = tenantsOf(log);
  });
  afterEach(async () => {
    for (const each of running.splice(0)) await each.close();
  });
  const writeAll = () => Promise.all(tenants.map((tenant) => write(log, tenant)));
  const counts = async (version: number) => {
    const live = await liveDocuments(documents, { ttl: 0 });
    const { collection } = countsOf(version);
    const found = await Promise.all(tenants.map((tenant) => live.get(collection, tenant, 'course_1')));
    return found.map((each) => each?.['count']);
  };
  const untilCounts = (version: number, count: number) =>
    until(async () => (await counts(version)).every((each) => each === count));

  describe('one process builds, and each follows its own lanes', () => {
    const keep = { sameVersion: 40, otherVersion: 40 };
    const start = async (own: readonly number[], version = 1, slow?: () => Promise<void>) => {
      const { documents: store, moved } = noting(documents);
      const set = new LaneSet(own);
      const feed: Feed = ({ from, diverged, handle, batch, isWhole }) =>
        followLog(log, {
          from: (lane) => from(lane, log.epoch),
          diverged,
          batch,
          ...(isWhole ? {} : { lanes: set }),
          async handle(commits, lane) {
            if (isWhole) await slow?.();
            await handle(lane, commits.map(incomingFromCommit));
          },
        });
      const model: ReadModel = await readModel({
        documents: store,
        projection: countsOf(version),
        ...(version > 1 ? { previous: countsOf(version - 1) } : {}),
        source: 'catalog',
        owner: randomUUID(),
        feed,
        keep,
        shares: (lane) => set.has(lane),
      });
      running.push(model);
      return { model, moved, set };
    };

    /** Writes into all lanes until each process moves what it should, and nothing else. Gives how much was written then. */
    const untilMoved = async (processes: readonly Awaited<ReturnType<typeof start>>[], wanted: readonly string[][]) => {
      let count = 1;
      await until(async () => {
        for (const { moved } of processes) moved.clear();
        await writeAll();
        await untilCounts(1, (count += 1));
        return processes.every(({ moved }, n) => [...moved].toSorted().join() === wanted[n]!.join());
      });
      return count;
    };

    test('of a first version: afterwards no process moves a lane that is not its own', async () => {
      await writeAll();
      const [one, two] = [await start([0, 1]), await start([2, 3])];
      await Promise.all([one.model.caughtUp(), two.model.caughtUp()]);
      expect(await counts(1)).toEqual([1, 1, 1, 1]);
      // The builder follows all lanes until the others have seen the build.
      const count = await untilMoved(
        [one, two],
        [
          ['counts 0', 'counts 1'],
          ['counts 2', 'counts 3'],
        ],
      );
      expect(all.filter((lane) => one.model.keeps(lane))).toEqual([0, 1]);
      await one.set.change([]);
      await two.set.change(all);
      await writeAll();
      await untilCounts(1, count + 1);
    });

    test('of a new version: readers get it once all lanes are there, and each process keeps the one before fresh meanwhile', async () => {
      await writeAll();
      const before = [await start([0, 1]), await start([2, 3])];
      await Promise.all(before.map(({ model }) => model.built()));
      await Promise.all(before.map(({ model }) => model.close()));
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      const after = [await start([0, 1], 2, () => held), await start([2, 3], 2, () => held)];
      await writeAll();
      await untilCounts(1, 2);
      expect(await counts(2)).toEqual([2, 2, 2, 2]);
      release();
      await untilCounts(2, 4);
      expect((await Promise.all(after.map(({ model }) => model.built()))).length).toBe(2);
      await writeAll();
      await untilCounts(2, 6);
    });

    test('of one that is asked for: what was live is left by every process before it is dropped', async () => {
      await writeAll();
      const [one, two] = [await start([0, 1]), await start([2, 3])];
      await Promise.all([one.model.caughtUp(), two.model.caughtUp()]);
      await two.model.rebuild();
      await untilMoved(
        [one, two],
        [
          ['counts.2 0', 'counts.2 1'],
          ['counts.2 2', 'counts.2 3'],
        ],
      );
    });
  });

  describe('with leases', () => {
    const times = { beat: 40, look: 15, lifetime: 2_000 };
    const start = async (resume?: () => Promise<void>, projections = [countsOf(1)]): Promise<OwnProjections> => {
      const logger = pino({ level: 'silent' });
      const { documents: store } = noting(documents);
      const leases = documentLeases(store, () => undefined, times);
      const ports = { log, documents: store, leases, logger } as unknown as ModulePorts;
      const own = await projectOwn(ports, 'catalog', [{ projections }], resume);
      running.push(own);
      return own;
    };
    const keptBy = (own: OwnProjections): readonly number[] =>
      all.filter((lane) => own.models()[0]?.keeps(lane) === true);
    const untilShared = (...owns: readonly OwnProjections[]) =>
      until(() => {
        const kept = owns.flatMap(keptBy);
        return kept.length === lanes && new Set(kept).size === lanes && owns.every((own) => keptBy(own).length > 0);
      });

    test('three processes project all lanes, and those that are left do when others end', async () => {
      const owns = [await start(), await start(), await start()];
      await Promise.all(owns.map((own) => own.ready()));
      await untilShared(...owns);
      await writeAll();
      await untilCounts(1, 1);
      await owns[0]!.close();
      await untilShared(owns[1]!, owns[2]!);
      await writeAll();
      await untilCounts(1, 2);
      await Promise.all(owns.map((own) => own.ready()));
    });

    test('what was left half done is finished by one of them, once all lanes are projected by whichever process', async () => {
      await writeAll();
      const finished: number[] = [];
      const finish = async () => void finished.push((await counts(1)).filter((each) => each === 1).length);
      const owns = [await start(finish), await start(finish)];
      await until(() => finished.length > 0);
      await Promise.all(owns.map((own) => own.ready()));
      expect(finished).toEqual([lanes]);
    });

    test('a process that waits for no part of the lanes is ready, and erasures are seen wherever they are projected', async () => {
      const erasing: Projection = { ...countsOf(1), erase: { documents: () => [], forget: () => null } };
      const owns: OwnProjections[] = [];
      for (let n = 0; n <= lanes; n += 1) owns.push(await start(undefined, [erasing]));
      await until(() => owns.filter((own) => keptBy(own).length === 1).length === lanes);
      await Promise.all(owns.map((own) => own.ready()));
      await writeAll();
      for (const own of owns)
        for (const lane of all) expect(await own.purged({ lane, position: await log.head(lane) }, 5_000)).toBe(true);
    });

    test('where releases have other versions of read models, those of one release project, and the other’s when they are gone', async () => {
      const old = await start();
      await until(() => keptBy(old).length === lanes);
      const next = await start(undefined, [countsOf(2)]);
      await writeAll();
      await untilCounts(1, 1);
      await sleep(4 * times.beat);
      expect([keptBy(old).length, next.models()]).toEqual([lanes, []]);
      await old.close();
      await untilCounts(2, 2);
    });
  });
});
