import { expect, test } from '@jest/globals';
import { type Projection, liveDocuments, memoryDocuments } from '@lyceum/documents';
import { forwarding, memoryEventLog } from '@lyceum/eventlog';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { ModulePorts } from '../module.ts';
import { projectOwn } from './own-projections.ts';

const schools = Array.from({ length: 12 }, (_, index) => `school_${index}`);

const countOf = (name: string, weight: number): Projection => ({
  collection: { name, version: 1, fields: {} },
  key: ({ stream }) => stream,
  project: (_event, before) => ({ total: Number(before?.['total'] ?? 0) + weight }),
});

test('all read models of a service that are built at once read each lane once from its beginning', async () => {
  const stored = memoryEventLog();
  for (const tenant of schools)
    for (const stream of ['course_1', 'course_2', 'course_1'])
      await stored.append({
        tenant,
        expectations: [],
        events: [{ stream, type: 'Named', schema: 1, data: {} }],
        commitId: randomUUID(),
        fingerprint: '',
        at: '2026-01-05T08:00:00.000Z',
        meta: { actor: 'test' },
      });
  const begun: number[] = [];
  const log = forwarding(stored, {
    readLane(lane, after, limit) {
      if (after === 0) begun.push(lane);
      return stored.readLane(lane, after, limit);
    },
  });
  const documents = memoryDocuments();
  const ports = { log, documents, logger: pino({ level: 'silent' }) } as unknown as ModulePorts;
  const projections = [1, 2, 3, 4, 5].map((weight) => countOf(`count_${weight}`, weight));
  const own = await projectOwn(ports, 'catalog', [{ projections }], async () => undefined);
  await own.ready();
  const lanes = new Set(schools.map((tenant) => log.laneOf(tenant)));
  expect(begun.sort((a, b) => a - b)).toEqual([...lanes].sort((a, b) => a - b));
  const live = await liveDocuments(documents);
  for (const [index, { collection }] of projections.entries())
    for (const tenant of schools)
      expect(await live.get(collection, tenant, 'course_1')).toEqual({ total: 2 * (index + 1) });
  await own.close();
});
