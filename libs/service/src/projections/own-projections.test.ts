import { expect, test } from '@jest/globals';
import { liveDocuments, memoryDocuments } from '@lyceum/documents';
import { memoryEventLog } from '@lyceum/eventlog';
import { hidingEventLog } from '@lyceum/eventlog/testing';
import { FakeClock } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import type { Leases, Sharing, Work } from '../running/leases.ts';
import type { ModulePorts } from '../module.ts';
import { projectOwn } from './own-projections.ts';

const titles = { name: 'titles', version: 1, fields: {} };
const projection = { collection: titles, key: () => 'one', project: () => ({ title: 'Paper' }) };

/** All lanes, which are given and taken away by hand, with the lead of the work. */
function handLease() {
  let sharing: Sharing | undefined;
  let work: Work | undefined;
  let leading: Work | undefined;
  const leases = {
    share(_name: string, given: Sharing) {
      sharing = given;
      return { current: () => work, has: () => work !== undefined, close: async () => work?.close() };
    },
  } as unknown as Leases;
  return {
    leases,
    async give() {
      work = await sharing!.begin();
      leading = await sharing!.lead?.();
    },
    async take() {
      const lost = work;
      await leading?.close();
      await lost?.close();
      work = undefined;
    },
  };
}

const named = {
  tenant: 'school_1',
  expectations: [],
  events: [{ stream: 'course_1', type: 'Named', schema: 1, data: {} }],
  commitId: randomUUID(),
  fingerprint: '',
  at: '2026-01-05T08:00:00.000Z',
  meta: { actor: 'test' },
};

test('E-C1: whoever gets the lease while an election hides commits finishes what was left half done once they are there', async () => {
  const { leases, give } = handLease();
  const log = hidingEventLog(memoryEventLog({ lanes: 1 }));
  await log.append(named);
  const own = { log, documents: memoryDocuments(), leases, clock: new FakeClock() };
  const ports = { ...own, logger: pino({ level: 'silent' }) } as unknown as ModulePorts;
  const start = (resume: () => Promise<void>) => projectOwn(ports, 'catalog', [{ projections: [projection] }], resume);
  const before = await start(async () => undefined);
  await give();
  await before.ready();
  await before.close();
  log.hide(0, 1);
  const tries: number[] = [];
  const after = await start(async () => {
    tries.push(tries.length);
    if (tries.length === 1) throw new Error('not now');
  });
  await give();
  await pause(100);
  expect(tries).toHaveLength(0);
  log.show();
  for (const end = Date.now() + 10_000; tries.length < 2 && Date.now() < end;) await pause(20);
  expect(tries).toHaveLength(2);
  await after.close();
});

test('a lease that is lost while the process gets ready is no failure: it is ready when the next holder is, or it again', async () => {
  const { leases, give, take } = handLease();
  const log = memoryEventLog({ lanes: 1 });
  await log.append(named);
  const read = log.readLane.bind(log);
  let isSlow = true;
  const slow = { ...log, readLane: (...args: Parameters<typeof read>) => (isSlow ? never : read(...args)) };
  const documents = memoryDocuments();
  const own = { log: Object.assign(Object.create(log), slow), documents, leases, clock: new FakeClock() };
  const ports = { ...own, logger: pino({ level: 'silent' }) } as unknown as ModulePorts;
  const projections = await projectOwn(ports, 'catalog', [{ projections: [projection] }], async () => undefined);
  await give();
  const ready = projections.ready();
  const lost = take();
  isSlow = false;
  release([]);
  await lost;
  await give();
  await ready;
  const seen = await (await liveDocuments(documents)).get(titles, 'school_1', 'one');
  await projections.close();
  expect(seen).toEqual({ title: 'Paper' });
});

test('where one of them cannot begin, none stays behind: begun again, each is built once', async () => {
  const { leases, give } = handLease();
  const log = memoryEventLog({ lanes: 1 });
  const wake = log.wake.bind(log);
  let followers = 0;
  Object.assign(log, {
    wake(listener: (lane: number) => void) {
      const unsubscribe = wake(listener);
      followers += 1;
      return () => {
        followers -= 1;
        unsubscribe();
      };
    },
  });
  await log.append(named);
  const documents = memoryDocuments();
  const query = documents.query.bind(documents);
  let isAway = true;
  // The pointers of read models are asked for by their names.
  Object.assign(documents, {
    query: (...asked: Parameters<typeof query>) =>
      isAway && JSON.stringify(asked[2]).includes('others')
        ? Promise.reject(new Error('the documents are away'))
        : query(...asked),
  });
  const others = { ...projection, collection: { ...titles, name: 'others' } };
  const errors: unknown[] = [];
  const logger = { error: (fields: unknown) => void errors.push(fields) };
  const ports = { log, documents, leases, clock: new FakeClock(), logger } as unknown as ModulePorts;
  const slice = { projections: [projection, others] };
  const projections = await projectOwn(ports, 'catalog', [slice], async () => undefined);
  await expect(give()).rejects.toThrow('the documents are away');
  expect(followers).toBe(0);
  isAway = false;
  await give();
  await projections.ready();
  expect(projections.models()).toHaveLength(2);
  expect(followers).toBe(2);
  await projections.close();
  expect(errors).toEqual([]);
});

let release: (commits: never[]) => void;
const never = new Promise<never[]>((resolve) => (release = resolve));
