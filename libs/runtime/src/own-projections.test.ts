import { expect, test } from '@jest/globals';
import { liveDocuments, memoryDocuments } from '@lyceum/documents';
import { memoryEventLog } from '@lyceum/eventlog';
import { FakeClock } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { createLogger } from './logger.ts';
import type { Leases, Work } from './leases.ts';
import type { ModulePorts } from './module.ts';
import { projectOwn } from './own-projections.ts';

const titles = { name: 'titles', version: 1, fields: {} };
const projection = { collection: titles, key: () => 'one', project: () => ({ title: 'Paper' }) };

/** A lease that is taken away and given back by hand. */
function handLease() {
  let begin: (token: number) => Promise<Work> = () => Promise.reject(new Error('nobody contends'));
  let work: Work | undefined;
  const leases = {
    contend(_name: string, given: typeof begin) {
      begin = given;
      return { current: () => work, close: async () => work?.close() };
    },
  } as unknown as Leases;
  return {
    leases,
    give: async () => void (work = await begin(1)),
    take: async () => {
      const lost = work;
      await lost?.close();
      work = undefined;
    },
  };
}

test('a lease that is lost while the process gets ready is no failure: it is ready when the next holder is, or it again', async () => {
  const { leases, give, take } = handLease();
  const log = memoryEventLog({ lanes: 1 });
  const event = { stream: 'course_1', type: 'Named', schema: 1, data: {} };
  await log.append({
    tenant: 'school_1',
    expectations: [],
    events: [event],
    commitId: randomUUID(),
    fingerprint: '',
    at: '2026-01-05T08:00:00.000Z',
    meta: { actor: 'test' },
  });
  const read = log.readLane.bind(log);
  let isSlow = true;
  const slow = { ...log, readLane: (...args: Parameters<typeof read>) => (isSlow ? never : read(...args)) };
  const documents = memoryDocuments();
  const own = { log: Object.assign(Object.create(log), slow), documents, leases, clock: new FakeClock() };
  const ports = { ...own, logger: createLogger('silent') } as unknown as ModulePorts;
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

let release: (commits: never[]) => void;
const never = new Promise<never[]>((resolve) => (release = resolve));
