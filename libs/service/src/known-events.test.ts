import { expect, test } from '@jest/globals';
import { type Projection, memoryDocuments } from '@lyceum/documents';
import { memoryEventLog } from '@lyceum/eventlog';
import { erasureStream, systemClock } from '@lyceum/kernel';
import { until } from '@lyceum/testkit';
import { silentLogger } from '@lyceum/web';
import { knownEventsOf } from './known-events.ts';
import { aggregate, streamsOf } from './moving/aggregate.ts';
import { projectLog } from './projections/followed-projections.ts';

const type = (version: number) => ({ version, data: { parse: (data: unknown) => data } });
const courseEvents = { CourseCreated: type(2), PriceSet: type(1) };
const noteEvents = { Noted: type(1) };
const course = aggregate(streamsOf('course_'), { events: courseEvents, initial: null, evolve: () => null });
const id = '0190a5c4-0000-7000-8000-000000000001';

test('E-A1, E-C3: an event is known by its type, its version, and the kind of stream that it is in', () => {
  const why = knownEventsOf({ events: [courseEvents, noteEvents], aggregates: [course] })!;
  const of = (stream: string, name: string, schema = 1) =>
    why({ id: '', stream, version: 1, type: name, schema, data: {} }, 'school_1');
  const all: readonly Parameters<typeof of>[] = [
    [`course_${id}`, 'CourseCreated', 1],
    [`course_${id}`, 'CourseCreated', 2],
    [`course_${id}`, 'PriceSet', 1],
    ['notes-1', 'Noted', 1],
    ['process/joining/x', 'CommandsIssued', 1],
    ['unique/slug/x', 'Claimed', 1],
    [erasureStream('account_1'), 'SubjectErased', 1],
    ['facts', 'FactsRetold', 1],
    ['facts', 'FactsRetoldSince', 1],
  ];
  for (const known of all) expect([known, of(...known)]).toEqual([known, undefined]);
  expect(of(`course_${id}`, 'CourseCreated', 3)).toContain('up to version 2, not 3');
  expect(of(`course_${id}`, 'CourseSold')).toContain('CourseSold');
  // A new kind of aggregate, whose events are called like those of an old one.
  expect(of(`bundle_${id}`, 'PriceSet')).toContain('PriceSet');
  expect(of('notes-1', 'FactsRetold')).toContain('FactsRetold');
  expect(of('constructor', 'toString')).toContain('toString');
});

test('a service that declares no events knows them all', () => {
  expect(knownEventsOf({})).toBeUndefined();
});

test('E-C3: a stream that the release before parked because it did not know an event is redriven at the start of one that does', async () => {
  const log = memoryEventLog({ lanes: 1 });
  const documents = memoryDocuments();
  const ports = { log, documents, clock: systemClock, logger: silentLogger } as never;
  const projection = (knows: number): Projection => ({
    collection: { name: 'shown', version: 1, fields: {} },
    key: ({ stream }) => stream,
    project({ schema }) {
      // As releases before did: a refusal like any other.
      if (schema > knows) throw Object.assign(new Error('Changed v2 is newer than v1'), { name: 'UnknownEvent' });
      return { shown: schema };
    },
  });
  for (const schema of [1, 2])
    await log.append({
      tenant: 'school_1',
      expectations: [],
      events: [{ stream: 'course_0', type: 'Changed', schema, data: {} }],
      commitId: `commit-${schema}`,
      fingerprint: '',
      at: '2026-01-05T08:00:00.000Z',
      meta: { actor: 'test' },
    });
  const old = await projectLog(ports, 'service', projection(1));
  await old.caughtUp();
  expect(await old.parked()).toHaveLength(1);
  await old.close();
  const upgraded = await projectLog(ports, 'service', projection(2));
  await upgraded.caughtUp();
  await until(async () => (await upgraded.parked()).length === 0);
  expect(await documents.get(projection(2).collection, 'school_1', 'course_0')).toEqual({ shown: 2 });
  await upgraded.close();
});
