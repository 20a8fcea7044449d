import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type Clock, UnknownEvent } from '@lyceum/kernel';
import fc from 'fast-check';
import { type IncomingCommit, incomingFromCommit } from './incoming.ts';
import { ProjectionFailed } from './lane-projector.ts';
import { memoryDocuments } from '../memory/memory.ts';
import type { Documents } from '../port.ts';
import type { Projection } from '../projection.ts';
import { projector } from './projector.ts';
import type { History } from './projector-options.ts';
import { sqliteDocuments } from '../sqlite/sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'lyceum-parking-'));
afterAll(() => rmSync(folder, { recursive: true }));

const clock: Clock = { now: () => Date.parse('2026-01-05T08:00:00.000Z') };

/** Collects what happened to each stream, in order; what is `broken` it cannot take. One shared document counts all. */
const diary = (broken: Set<string>): Projection => ({
  collection: { name: 'diary', version: 1, fields: {} },
  key: (event) => (event.type === 'Shared' ? 'shared' : event.stream),
  project(event, before) {
    if (broken.has(String(event.data))) throw new Error(`cannot read ${String(event.data)}`);
    return { seen: [...((before?.['seen'] as unknown[] | undefined) ?? []), event.data] };
  },
});

interface Happening {
  readonly stream: string;
  readonly data: string;
  readonly type?: string;
}

/** A lane in which each event is a commit of its own. */
function laneOf(happenings: readonly Happening[]): readonly IncomingCommit[] {
  const versions = new Map<string, number>();
  return happenings.map(({ stream, data, type = 'Happened' }, index) => {
    const version = (versions.get(stream) ?? 0) + 1;
    versions.set(stream, version);
    const event = { stream, version, type, schema: 1, data };
    return incomingFromCommit({
      position: index + 1,
      tenant: 'school',
      at: '2026-01-05T07:00:00.000Z',
      events: [event],
    });
  });
}

const historyOf =
  (lane: readonly IncomingCommit[]): History =>
  async ({ tenant, stream, version, until }) =>
    lane
      .filter(({ position }) => position <= until)
      .flatMap(({ events }) => events)
      .filter((event) => event.tenant === tenant && event.stream === stream && event.version > version);

async function started(documents: Documents, broken: Set<string>, lane: readonly IncomingCommit[]) {
  const projection = diary(broken);
  await documents.open(projection.collection);
  const start = (over: Documents = documents) =>
    projector({ documents: over, projection, source: 'log', clock, tries: 2, history: historyOf(lane) });
  const seen = async (id: string) => (await documents.get(projection.collection, 'school', id))?.['seen'];
  return { start, run: start(), seen, collection: projection.collection };
}

/** As the follower does: tries a batch again until it is taken. */
async function handled(run: ReturnType<typeof projector>, batch: readonly IncomingCommit[]): Promise<number> {
  for (let failures = 0; ; failures += 1)
    try {
      await run.handle(0, batch);
      return failures;
    } catch (error) {
      if (!(error instanceof ProjectionFailed)) throw error;
    }
}

const happenings = (...all: readonly `${string}${number}`[]): readonly Happening[] =>
  all.map((data) => ({ stream: data[0]!, data }));

describe.each([
  ['memory', async () => memoryDocuments()],
  ['sqlite', (n: number) => sqliteDocuments({ file: join(folder, `${n}.db`) })],
])('a projection that cannot take an event, on %s', (_name, open) => {
  let count = 0;
  const opened = () => open((count += 1));

  test('parks its stream after the tries it has, keeps later events of it back, and lets all others flow', async () => {
    const lane = laneOf(happenings('a1', 'b1', 'a2', 'b2', 'a3'));
    const { run, seen } = await started(await opened(), new Set(['a2']), lane);
    expect(await handled(run, lane)).toBe(1);
    expect([await seen('a'), await seen('b')]).toEqual([['a1'], ['b1', 'b2']]);
    expect((await run.from(0)).position).toBe(5);
    expect(await run.parked()).toEqual([
      {
        source: 'log',
        lane: 0,
        tenant: 'school',
        stream: 'a',
        position: 3,
        version: 2,
        type: 'Happened',
        error: 'Error: cannot read a2',
        since: '2026-01-05T08:00:00.000Z',
        count: 2,
      },
    ]);
  });

  test('E-C2: fifty streams that break in one batch are parked after the tries that one has, and each keeps its order', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `s${index}`);
    const poisoned = names.map((stream) => ({ stream, data: `poison of ${stream}` }));
    const later = names.map((stream) => ({ stream, data: `later in ${stream}` }));
    const lane = laneOf([...poisoned, { stream: 'healthy', data: 'h1' }, ...later]);
    const broken = new Set(poisoned.map(({ data }) => data));
    const { run, seen } = await started(await opened(), broken, lane);
    expect(await handled(run, lane)).toBe(1);
    expect(await seen('healthy')).toEqual(['h1']);
    expect((await run.parked()).map(({ count }) => count)).toEqual(names.map(() => 2));
    broken.clear();
    for (const parked of await run.parked()) await run.redrive(parked);
    for (const name of names) expect(await seen(name)).toEqual([`poison of ${name}`, `later in ${name}`]);
  });

  test('E-C3: an event that this release does not know makes its lane stand, however often it comes, and parks nothing', async () => {
    const lane = laneOf(happenings('a1', 'a2', 'b1'));
    let isOld = true;
    const newer = diary(new Set());
    const project: Projection['project'] = (event, before) => {
      if (isOld && event.data === 'a2') throw new UnknownEvent('Happened v2 is newer than v1');
      return newer.project(event, before);
    };
    const documents = await opened();
    await documents.open(newer.collection);
    const run = projector({ documents, projection: { ...newer, project }, source: 'log', clock, tries: 2 });
    for (let tries = 0; tries < 5; tries += 1) await expect(run.handle(0, lane)).rejects.toThrow(ProjectionFailed);
    expect([await run.parked(), (await run.from(0)).position]).toEqual([[], 0]);
    isOld = false;
    await run.handle(0, lane);
    expect((await documents.get(newer.collection, 'school', 'a'))?.['seen']).toEqual(['a1', 'a2']);
  });

  test('E-C2: streams that begin to break while others are tried hold nobody up for longer', async () => {
    const lane = laneOf(happenings('a1', 'b1', 'c1', 'd1', 'e1'));
    const { run, seen } = await started(await opened(), new Set(['a1', 'b1', 'c1', 'd1']), lane);
    await expect(run.handle(0, lane.slice(0, 1))).rejects.toThrow(ProjectionFailed);
    await run.handle(0, lane);
    expect([(await run.from(0)).position, await seen('e')]).toEqual([5, ['e1']]);
    expect((await run.parked()).map(({ stream }) => stream)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('parks two streams that break in one batch, and never spins between them', async () => {
    const lane = laneOf(happenings('a1', 'b1', 'c1', 'a2', 'b2'));
    const { run, seen } = await started(await opened(), new Set(['a1', 'b1']), lane);
    expect(await handled(run, lane)).toBe(1);
    expect((await run.parked()).map(({ stream, count }) => [stream, count])).toEqual([
      ['a', 2],
      ['b', 2],
    ]);
    expect(await seen('c')).toEqual(['c1']);
  });

  test('keeps events back in later batches and after a restart, and redrives them in order', async () => {
    const lane = laneOf(happenings('a1', 'a2', 'b1', 'a3', 'b2', 'a4', 'a5'));
    const documents = await opened();
    const broken = new Set(['a2']);
    const { start, run, seen } = await started(documents, broken, lane);
    await handled(run, lane.slice(0, 4));
    const again = start();
    await handled(again, lane.slice(4, 6));
    expect([await seen('a'), await seen('b')]).toEqual([['a1'], ['b1', 'b2']]);
    broken.clear();
    expect(await again.redrive({ lane: 0, tenant: 'school', stream: 'a' })).toEqual({ applied: 3, parked: undefined });
    expect(await seen('a')).toEqual(['a1', 'a2', 'a3', 'a4']);
    expect(await again.parked()).toEqual([]);
    await handled(again, lane.slice(6));
    expect(await seen('a')).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
  });

  test('a redrive that breaks at a later event applies what it can and parks there', async () => {
    const lane = laneOf(happenings('a1', 'a2', 'a3', 'a4'));
    const broken = new Set(['a2', 'a4']);
    const { run, seen } = await started(await opened(), broken, lane);
    await handled(run, lane);
    broken.delete('a2');
    const { applied, parked } = await run.redrive({ lane: 0, tenant: 'school', stream: 'a' });
    expect([applied, parked?.position, parked?.count, parked?.error]).toEqual([2, 4, 1, 'Error: cannot read a4']);
    expect(await seen('a')).toEqual(['a1', 'a2', 'a3']);
    broken.clear();
    await run.redrive({ lane: 0, tenant: 'school', stream: 'a' });
    expect(await seen('a')).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  test('redriving a stream that flows changes nothing', async () => {
    const lane = laneOf(happenings('a1'));
    const { run, seen } = await started(await opened(), new Set(), lane);
    await handled(run, lane);
    expect(await run.redrive({ lane: 0, tenant: 'school', stream: 'a' })).toEqual({ applied: 0, parked: undefined });
    expect(await seen('a')).toEqual(['a1']);
  });

  test('a document that several streams share gets what waited after what flowed, each once', async () => {
    const lane = laneOf(['a1', 'b1', 'a2', 'b2'].map((data) => ({ stream: data[0]!, data, type: 'Shared' })));
    const broken = new Set(['a1']);
    const { run, seen } = await started(await opened(), broken, lane);
    await handled(run, lane);
    expect(await seen('shared')).toEqual(['b1', 'b2']);
    broken.clear();
    await run.redrive({ lane: 0, tenant: 'school', stream: 'a' });
    expect(await seen('shared')).toEqual(['b1', 'b2', 'a1', 'a2']);
  });
});

describe('parking', () => {
  const lanes = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 14 });

  test('two projectors that race, break, restart and redrive apply each event of each stream once, in order', async () => {
    const steps = fc.array(fc.tuple(fc.nat(1), fc.nat(3), fc.nat(5), fc.constantFrom('a', 'b', 'c')), {
      maxLength: 25,
    });
    await fc.assert(
      fc.asyncProperty(lanes, fc.array(fc.nat(13), { maxLength: 3 }), steps, async (streams, poison, script) => {
        const lane = laneOf(streams.map((stream, index) => ({ stream, data: `${stream}${index}` })));
        const broken = new Set(poison.map((index) => `${streams[index]}${index}`));
        const documents = memoryDocuments();
        const { start, seen } = await started(documents, broken, lane);
        const runs = [start(), start()];
        const racing: Promise<unknown>[] = [];
        for (const [who, what, length, stream] of script) {
          if (what === 0) runs[who] = start();
          if (what === 1) racing.push(runs[who]!.redrive({ lane: 0, tenant: 'school', stream }));
          if (what > 1) {
            const from = await documents.checkpoint(diary(broken).collection, 'log', 0);
            racing.push(handled(runs[who]!, lane.slice(Math.max(0, from - 1), from + length)));
          }
          if (racing.length > 2) await Promise.allSettled(racing.splice(0));
        }
        await Promise.allSettled(racing);
        broken.clear();
        const last = start();
        await handled(last, lane);
        for (const parked of await last.parked()) await last.redrive(parked);
        for (const stream of ['a', 'b', 'c'])
          expect((await seen(stream)) ?? []).toEqual(
            streams.flatMap((each, index) => (each === stream ? [`${each}${index}`] : [])),
          );
      }),
      { numRuns: 150 },
    );
  });

  test('a stream that another process parked while it had the lane waits here too, when the lane comes back', async () => {
    const lane = laneOf(happenings('a1', 'b1', 'a2', 'a3', 'b2'));
    const broken = new Set(['a2']);
    const { start, run: here, seen } = await started(memoryDocuments(), broken, lane);
    const there = start();
    await handled(here, lane.slice(0, 2));
    await here.parked();
    await handled(there, lane.slice(2, 3));
    await here.from(0);
    await handled(here, lane.slice(3));
    expect([await seen('a'), await seen('b')]).toEqual([['a1'], ['b1', 'b2']]);
    expect(await here.parked()).toMatchObject([{ stream: 'a', count: 2 }]);
  });

  test('what another projector holds back while a stream is about to flow again is not lost', async () => {
    const lane = laneOf(happenings('a1', 'a2', 'a3', 'a4'));
    const documents = memoryDocuments();
    const broken = new Set(['a2']);
    const { start, seen, collection } = await started(documents, broken, lane);
    const other = start();
    await handled(other, lane.slice(0, 2));
    broken.clear();
    let raced = false;
    const redriver = projector({
      documents,
      projection: diary(broken),
      source: 'log',
      clock,
      async history(wanted) {
        const found = await historyOf(lane)(wanted);
        if (found.length === 0 && !raced) {
          raced = true;
          await handled(other, lane.slice(2));
        }
        return found;
      },
    });
    await redriver.redrive({ lane: 0, tenant: 'school', stream: 'a' });
    expect([raced, await documents.checkpoint(collection, 'log', 0)]).toEqual([true, 4]);
    for (const parked of await redriver.parked()) await redriver.redrive(parked);
    expect(await seen('a')).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  test('a crash after any write leaves the stream parked or flowing, and nothing applied twice', async () => {
    const lane = laneOf(happenings('a1', 'a2', 'b1', 'a3', 'a4'));
    for (let crashAt = 1; crashAt <= 6; crashAt += 1) {
      const documents = memoryDocuments();
      const broken = new Set(['a2']);
      const { start, seen } = await started(documents, broken, lane);
      let writes = 0;
      const crashing = Object.assign(Object.create(documents) as Documents, {
        checkpoint: documents.checkpoint.bind(documents),
        checkpointOf: documents.checkpointOf.bind(documents),
        get: documents.get.bind(documents),
        query: documents.query.bind(documents),
        apply: async (...how: Parameters<Documents['apply']>) => {
          writes += 1;
          await documents.apply(...how);
          if (writes === crashAt) throw new Error('the process ended');
        },
      });
      const doomed = start(crashing);
      await handled(doomed, lane.slice(0, 3))
        .then(() => handled(doomed, lane.slice(3)))
        .then(() => broken.clear())
        .then(() => doomed.redrive({ lane: 0, tenant: 'school', stream: 'a' }))
        .catch(() => undefined);
      broken.clear();
      const next = start();
      await handled(next, lane);
      for (const parked of await next.parked()) await next.redrive(parked);
      expect([await seen('a'), await seen('b')]).toEqual([['a1', 'a2', 'a3', 'a4'], ['b1']]);
    }
  });
});
