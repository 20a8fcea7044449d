import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { builder } from './builder.ts';
import { type IncomingCommit, incomingFromCommit } from '../projector/incoming.ts';
import { memoryDocuments } from '../memory/memory.ts';
import { tenantsOf } from '../collection/tenants.ts';
import type { Documents, Found } from '../port.ts';
import type { Projection } from '../projection.ts';
import { sqliteDocuments } from '../sqlite/sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'lyceum-going-on-'));
afterAll(() => rmSync(folder, { recursive: true }));

const source = 'log';
const [streams, length] = [900, 2_500];

/** How often a stream moved and where to; some moves are poison, and who is erased has no document. */
const sums: Projection = {
  collection: { name: 'sums', version: 1, fields: { moves: 'number', tags: 'set' } },
  key: ({ stream }) => stream,
  project({ data, stream }, before) {
    const { to } = data as { to: number };
    if (to === 77) throw new Error('poison');
    return { moves: Number(before?.['moves'] ?? 0) + 1, to, tags: [stream, `t${to % 3}`] };
  },
  erase: { documents: (subject) => [subject] },
};

/** One lane; the same each time. */
function laneOf(tenant: string): readonly IncomingCommit[] {
  const versions = new Map<string, number>();
  let drawn = 0;
  const random = (below: number) =>
    createHash('sha256')
      .update(`${tenant} ${(drawn += 1)}`)
      .digest()
      .readUInt32BE() % below;
  return Array.from({ length }, (_, index) => {
    const erased = index % 100 === 99;
    const stream = erased ? `erasure-s${random(streams)}` : `s${random(streams)}`;
    const version = (versions.get(stream) ?? 0) + 1;
    versions.set(stream, version);
    const data = erased ? { subject: stream.slice('erasure-'.length) } : { to: random(100) };
    const type = erased ? 'SubjectErased' : 'Moved';
    const events = [{ stream, version, type, schema: 1, data }];
    return incomingFromCommit({
      position: index + 1,
      tenant,
      at: '2026-01-05T08:00:00.000Z',
      commitId: `c${index}`,
      events,
    });
  });
}

const lanes = [laneOf('school_a'), laneOf('school_bb')];

/** The store of a process that dies at its nth write, before or after that is stored. */
function dying(store: Documents, writes: number, isStored: boolean): Documents {
  let left = writes;
  return new Proxy(store, {
    get(target, name: keyof Documents) {
      if (name === 'apply')
        return async (...write: Parameters<Documents['apply']>) => {
          left -= 1;
          if (left === 0 && isStored) await target.apply(...write);
          if (left <= 0) throw new Error('the process ended');
          return target.apply(...write);
        };
      const found: unknown = target[name];
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
}

/** Builds in a process; gives how many commits it was handed. */
async function build(documents: Documents): Promise<number> {
  await documents.open(sums.collection);
  const work = builder({ documents, projection: sums, source, held: 700 });
  const handed: IncomingCommit[] = [];
  const at = await Promise.all(lanes.map((_, lane) => work.from(lane)));
  for (let step = 0; step < length; step += 64)
    for (const [lane, commits] of lanes.entries()) {
      const part = commits.slice(step, step + 64).filter(({ position }) => position > at[lane]!.position);
      handed.push(...part);
      await work.handle(lane, part);
    }
  await work.flush();
  return handed.length;
}

/** All that is stored. */
async function contentOf(documents: Documents) {
  const found: [string, Found][] = [];
  for await (const tenant of tenantsOf(documents, sums.collection))
    for (let after = ''; ;) {
      const from = after === '' ? {} : { after: { value: null, id: after } };
      const { items, more } = await documents.query(sums.collection, tenant, { limit: 200, ...from });
      for (const item of items) found.push([tenant, item]);
      if (!more) break;
      after = items.at(-1)!.id;
    }
  const at = await Promise.all(lanes.map((_, lane) => documents.checkpointOf(sums.collection, source, lane)));
  return { at, found: JSON.stringify(found).replaceAll(/"since":"[^"]*"/g, '"since":""') };
}

const whole = memoryDocuments();
await build(whole);
const expected = await contentOf(whole);

const stores: [string, (place: number) => Promise<Documents>][] = [
  ['memory', async () => memoryDocuments()],
  ['sqlite', (place) => sqliteDocuments({ file: join(folder, `${place}.db`) })],
];

describe.each(stores)('a build that is cut off again and again on %s', (_name, open) => {
  test('goes on where it was: documents, erased people, parked streams and checkpoints as if it was never cut off', async () => {
    expect(expected.found).toContain('parked-stream');
    const deaths = fc.array(fc.record({ writes: fc.integer({ min: 1, max: 12 }), isStored: fc.boolean() }), {
      maxLength: 5,
    });
    let place = 0;
    await fc.assert(
      fc.asyncProperty(deaths, async (all) => {
        const store = await open((place += 1));
        for (const { writes, isStored } of all) await build(dying(store, writes, isStored)).catch(() => undefined);
        await build(store);
        expect(await contentOf(store)).toEqual(expected);
        await store.close();
      }),
      { numRuns: 12, examples: [[[{ writes: 9, isStored: true }]], [[{ writes: 8, isStored: false }]]] },
    );
  });

  test('is handed only what comes after its checkpoints', async () => {
    const store = await open(1_000);
    await expect(build(dying(store, 10, true))).rejects.toThrow('the process ended');
    const stored = await Promise.all(lanes.map((_, lane) => store.checkpoint(sums.collection, source, lane)));
    expect(Math.min(...stored)).toBeGreaterThan(0);
    expect(await build(store)).toBe(2 * length - stored[0]! - stored[1]!);
    await store.close();
  });
});
