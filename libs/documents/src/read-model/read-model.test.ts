import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Checkpoint, checkpointFrom } from '@lyceum/kernel';
import { until } from '@lyceum/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { type IncomingCommit, incomingFromCommit } from '../projector/incoming.ts';
import { liveDocuments } from './live-documents.ts';
import { tenantsOf } from '../collection/tenants.ts';
import { memoryDocuments } from '../memory/memory.ts';
import { type Collection, type Documents, DocumentsUnavailable } from '../port.ts';
import type { Projection } from '../projection.ts';
import type { Feed } from './feed.ts';
import { type ReadModel, readModel } from './read-model.ts';
import type { ReadModelOptions } from './read-model-options.ts';
import { sqliteDocuments } from '../sqlite/sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'lyceum-read-model-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tenantsIn = async (documents: Documents) => {
  const found: string[] = [];
  for await (const tenant of tenantsOf(documents, sums(1, 1).collection)) found.push(tenant);
  return found;
};

const positionOf = (from: number | Checkpoint): number => checkpointFrom(from).position;

/** A source of two lanes that grows while it is read. */
class Source {
  readonly lanes: IncomingCommit[][] = [[], []];
  /** The epoch of its log. */
  life: string | undefined;
  readonly #versions = new Map<string, number>();
  #bells = new Set<() => void>();

  add(stream: string, data: unknown, type = 'Moved'): void {
    const lane = this.lanes[stream.charCodeAt(0) % 2]!;
    const version = (this.#versions.get(stream) ?? 0) + 1;
    this.#versions.set(stream, version);
    const event = { stream, version, type, schema: 1, data };
    const at = new Date(Date.UTC(2026, 0, 5) + lane.length).toISOString();
    lane.push(incomingFromCommit({ position: lane.length + 1, tenant: 'school', at, events: [event] }));
    for (const ring of this.#bells) ring();
  }

  readonly feed: Feed = ({ from, handle, batch }) => {
    const end = { closed: false };
    const at = [0, 0];
    const run = async (lane: number) => {
      at[lane] = await from(lane, this.life).then(positionOf, () => -1);
      if (at[lane] < 0) return;
      while (!end.closed) {
        const next = this.lanes[lane]!.slice(at[lane], at[lane]! + batch);
        if (next.length === 0) {
          await new Promise<void>((resolve) => this.#bells.add(resolve));
          continue;
        }
        try {
          await handle(lane, next);
          at[lane] = next.at(-1)!.position;
        } catch {
          await pause(2);
          at[lane] = positionOf(await from(lane));
        }
      }
    };
    const ends = [run(0), run(1)];
    return {
      caughtUp: async () => {
        const heads = this.lanes.map((lane) => lane.length);
        while (!end.closed && at.some((position, lane) => position < heads[lane]!)) await pause(1);
        if (end.closed) throw new Error('closed');
      },
      close: async () => {
        end.closed = true;
        for (const ring of this.#bells) ring();
        await Promise.all(ends);
      },
    };
  };
}

const sums = (version: number, weight: number, fields: Collection['fields'] = { total: 'number' }): Projection => ({
  collection: { name: 'sums', version, fields },
  key: ({ stream }) => stream,
  project: ({ data }, before) => ({ total: ((before?.['total'] as number) ?? 0) + weight * (data as number) }),
});

const stores: [string, (place: number) => Promise<Documents>][] = [
  ['memory', async () => memoryDocuments()],
  ['sqlite', (place) => sqliteDocuments({ file: join(folder, `${place}.db`) })],
];

describe.each(stores)('a read model on %s', (_name, open) => {
  let place = 0;

  async function stage(source = new Source(), documents?: Documents) {
    const store = documents ?? (await open((place += 1)));
    const reader = await liveDocuments(store, { ttl: 5 });
    const running: ReadModel[] = [];
    const start = async (projection: Projection, more: Partial<ReadModelOptions> = {}) => {
      const { feed } = source;
      const keep = { sameVersion: 60_000, otherVersion: 60_000 };
      const model = await readModel({ documents: store, projection, source: 'log', feed, owner: 'p1', keep, ...more });
      running.push(model);
      return model;
    };
    const total = async (id: string, projection = sums(1, 1)) =>
      (await reader.get(projection.collection, 'school', id))?.['total'];
    const end = async () => {
      for (const each of running) await each.close();
      await store.close();
    };
    return { source, store, reader, start, total, end };
  }

  test('is followed although the store could not open it at first', async () => {
    const { source, store, start, total, end } = await stage();
    source.add('a', 1);
    const before = await start(sums(1, 1));
    await before.built();
    await before.close();
    let failures = 1;
    const documents = new Proxy(store, {
      get(target, name: keyof Documents) {
        if (name === 'open')
          return async (collection: Collection) => {
            if (collection.name === 'sums' && failures-- > 0) throw new DocumentsUnavailable('simulated');
            return target.open(collection);
          };
        const found: unknown = target[name];
        return typeof found === 'function' ? found.bind(target) : found;
      },
    });
    // As those who follow a log do: they ask again where to go on.
    const feed: Feed = ({ from, ...rest }) =>
      source.feed({
        ...rest,
        async from(lane, life) {
          for (let tries = 1; ; tries += 1)
            try {
              return await from(lane, life);
            } catch (error) {
              if (tries === 50) throw error;
              await pause(2);
            }
        },
      });
    await start(sums(1, 1), { documents, feed });
    source.add('a', 2);
    for (let waited = 0; waited < 1_000 && (await total('a')) !== 3; waited += 10) await pause(10);
    expect(await total('a')).toBe(3);
    expect(failures).toBe(-1);
    await end();
  });

  test('C17: is built anew when the log of its source is in another life, however far that one has grown', async () => {
    const before = await stage();
    before.source.life = 'first';
    before.source.add('a', 1);
    before.source.add('a', 2);
    const model = await before.start(sums(1, 1));
    await model.caughtUp();
    await model.close();
    const restored = new Source();
    restored.life = 'second';
    for (const weight of [10, 20, 30]) restored.add('a', weight);
    const after = await stage(restored, before.store);
    const again = await after.start(sums(1, 1));
    await again.caughtUp();
    after.reader.refresh();
    expect(await after.total('a')).toBe(60);
    restored.add('a', 40);
    await again.caughtUp();
    expect(await after.total('a')).toBe(100);
    await again.close();
    const third = await after.start(sums(1, 1));
    expect(third.isBuilding).toBe(false);
    await third.caughtUp();
    expect(third.isBuilding).toBe(false);
    await after.end();
  });

  test('is built from the beginning, then follows', async () => {
    const { source, start, total, end } = await stage();
    source.add('a', 1);
    source.add('b', 2);
    const model = await start(sums(1, 1));
    await model.caughtUp();
    expect([await total('a'), await total('b')]).toEqual([1, 2]);
    source.add('a', 5);
    await model.caughtUp();
    expect(await total('a')).toBe(6);
    await end();
  });

  test('of a new version is built beside the old one, which readers get until it is complete', async () => {
    const { source, start, total, end } = await stage();
    for (let n = 0; n < 300; n += 1) source.add('a', 1);
    const old = await start(sums(1, 1));
    await old.caughtUp();
    await old.close();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const slow: Feed = (options) =>
      source.feed({ ...options, handle: (lane, batch) => held.then(() => options.handle(lane, batch)) });
    const next = sums(2, 10);
    const model = await start(next, { feed: slow });
    await model.caughtUp();
    expect(await total('a', next)).toBe(300);
    letGo();
    await model.built();
    await pause(10);
    expect(await total('a', next)).toBe(3000);
    expect(await total('a')).toBe(300);
    await end();
  });

  test('of a new version waits for its build when readers could not use the old one', async () => {
    const { source, start, reader, end } = await stage();
    source.add('a', 3);
    const old = await start(sums(1, 1));
    await old.caughtUp();
    const next = sums(2, 1, { total: 'number', extra: 'text' });
    await (await start(next)).caughtUp();
    const query = { where: [{ field: 'extra', is: null }], limit: 5 } as const;
    expect((await reader.query(next.collection, 'school', query)).items).toHaveLength(1);
    await end();
  });

  test('keeps the version before fresh while the next is built, when its projection is given', async () => {
    const { source, start, total, end } = await stage();
    source.add('a', 1);
    await (await start(sums(1, 1))).caughtUp();
    let builds = 0;
    const isBuilding = ({ name }: Parameters<Feed>[0]): boolean => name.endsWith('.building');
    const stuck: Feed = (options) =>
      source.feed(isBuilding(options) && (builds += 1) > 0 ? { ...options, handle: () => pause(5) } : options);
    const never: Feed = (options) => ({
      ...stuck(options),
      ...(isBuilding(options) ? { caughtUp: () => new Promise(() => {}) } : {}),
    });
    const model = await start(sums(2, 10), { previous: sums(1, 1), feed: never });
    source.add('a', 1);
    await model.caughtUp();
    expect(await total('a', sums(2, 10))).toBe(2);
    expect(builds).toBe(1);
    await end();
  });

  test('of the version before, which processes of its release still read, is without who is erased later', async () => {
    const { source, start, reader, end } = await stage();
    const erase = { documents: (subject: string) => [subject] };
    const model = (version: number, weight: number): Projection => ({ ...sums(version, weight), erase });
    source.add('a', 1);
    source.add('c', 1);
    const old = await start(model(1, 1));
    await old.caughtUp();
    const first = await start(model(2, 10), { shares: () => true });
    await first.built();
    await start(model(2, 10), { shares: () => true, owner: 'p2' });
    await first.close();
    // It has come to an event that it does not know, and leaves its lanes to others.
    await old.close();
    const read = (id: string, version: number) => reader.get(model(version, 1).collection, 'school', id);
    expect([await read('a', 1), await read('a', 2)]).toEqual([{ total: 1 }, { total: 10 }]);
    source.add('erasure', { subject: 'a' }, 'SubjectErased');
    await until(async () => (await read('a', 1)) === undefined && (await read('a', 2)) === undefined);
    expect(await read('c', 1)).toEqual({ total: 1 });
    await end();
  });

  test('is read without a break, and never backwards, while it is rebuilt and the source grows', async () => {
    const { source, start, total, reader, end } = await stage();
    for (let n = 0; n < 3000; n += 1) source.add(`a${n % 50}`, 1);
    const projection = sums(1, 1);
    const model = await start(projection);
    await model.caughtUp();
    const race = { over: false };
    let reads = 0;
    const seen: number[] = [];
    const reading = (async () => {
      while (!race.over) {
        const page = await reader.query(projection.collection, 'school', { limit: 200 });
        seen.push(page.items.reduce((sum, { body }) => sum + (body['total'] as number), 0));
        expect(page.items).toHaveLength(50);
        expect(await total('a7')).toBeGreaterThanOrEqual(60);
        reads += 1;
        if (reads % 5 === 0) source.add('a7', 1);
        await pause(0);
      }
    })();
    for (let n = 0; n < 3; n += 1) await Promise.all([model.rebuild(), model.rebuild()]);
    await pause(20);
    race.over = true;
    await reading;
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(reads).toBeGreaterThan(10);
    await model.caughtUp();
    await pause(10);
    const all = await reader.query(projection.collection, 'school', { limit: 200 });
    const sum = all.items.reduce((total, { body }) => total + (body['total'] as number), 0);
    expect(sum).toBe(source.lanes.flat().length);
    await end();
  });

  /** Starts a build in a process that ends at its nth write to the read model, which is stored. */
  async function cutOff({ store, start }: Awaited<ReturnType<typeof stage>>, writes: number) {
    let left = writes;
    const documents = new Proxy(store, {
      get(target, name: keyof Documents) {
        if (name === 'apply')
          return async (...how: Parameters<Documents['apply']>) => {
            if (left <= 0) throw new Error('the process ended');
            await target.apply(...how);
            if (how[0].name === 'sums' && (left -= 1) === 0) throw new Error('the process ended');
          };
        const found: unknown = target[name];
        return typeof found === 'function' ? found.bind(target) : found;
      },
    });
    let failed = () => {};
    const failure = new Promise<void>((resolve) => (failed = resolve));
    const doomed = await start(sums(1, 1), { documents, owner: 'p0', onError: () => failed() });
    await failure;
    await doomed.close();
  }

  /** A source whose two lanes have 300 streams each. */
  function wide(life: string) {
    const source = new Source();
    source.life = life;
    for (let n = 0; n < 300; n += 1) for (const lane of ['a', 'b']) source.add(`${lane}${n}`, 1);
    return source;
  }

  const sumOf = async (reader: Documents, { collection }: Projection) => {
    let [sum, after] = [0, ''];
    for (let more = true; more;) {
      const from = after === '' ? {} : { after: { value: null, id: after } };
      const page = await reader.query(collection, 'school', { limit: 200, ...from });
      for (const { body } of page.items) sum += body['total'] as number;
      after = page.items.at(-1)!.id;
      more = page.more;
    }
    return sum;
  };

  test('a build that a crash cut off goes on where it was, and what was half written is taken back', async () => {
    const staged = await stage(wide('first'));
    const { source, reader, start, end } = staged;
    // One lane takes two writes: the second write of the other lane is missing.
    await cutOff(staged, 3);
    const begun: [number, number][] = [];
    const feed: Feed = (options) =>
      source.feed({
        ...options,
        async from(lane, life) {
          const at = await options.from(lane, life);
          if (options.isOnce) begun.push([lane, positionOf(at)]);
          return at;
        },
      });
    const model = await start(sums(1, 1), { feed });
    await model.caughtUp();
    expect(begun).toEqual([
      [0, 300],
      [1, 0],
    ]);
    reader.refresh();
    expect((await reader.live(sums(1, 1).collection)).name).toBe('sums');
    expect(await sumOf(reader, sums(1, 1))).toBe(600);
    expect(await tenantsIn(reader)).toEqual(['school']);
    await end();
  });

  test('a build that was cut off is begun anew when the log of its source is in another epoch', async () => {
    const before = await stage(wide('first'));
    await cutOff(before, 3);
    const other = wide('second');
    other.add('a0', 1);
    const { reader, start, end } = await stage(other, before.store);
    await (await start(sums(1, 1))).caughtUp();
    reader.refresh();
    expect((await reader.live(sums(1, 1).collection)).name).toBe('sums.2');
    expect(await sumOf(reader, sums(1, 1))).toBe(601);
    await end();
  });

  test('a build that was cut off and gets no further is begun anew', async () => {
    const staged = await stage(wide('first'));
    const { source, reader, start, end } = staged;
    await cutOff(staged, 3);
    const errors: unknown[] = [];
    const broken: Feed = (options) => ({
      ...source.feed(options),
      ...(errors.length === 0 ? { caughtUp: () => Promise.reject(new Error('a gap')) } : {}),
    });
    const model = await start(sums(1, 1), { feed: broken, onError: (error) => errors.push(error) });
    await model.caughtUp();
    expect(errors).toMatchObject([{ name: 'BuildStuck', cause: { message: 'a gap' } }]);
    reader.refresh();
    expect((await reader.live(sums(1, 1).collection)).name).toBe('sums.2');
    expect(await sumOf(reader, sums(1, 1))).toBe(600);
    await end();
  });

  test('old builds are dropped later, and the read model goes on', async () => {
    const { source, start, total, store, end } = await stage();
    source.add('a', 1);
    const model = await start(sums(1, 1), { keep: { sameVersion: 20, otherVersion: 20 } });
    await model.caughtUp();
    await model.rebuild();
    await pause(80);
    await expect(store.get(sums(1, 1).collection, 'school', 'a')).rejects.toThrow();
    source.add('a', 1);
    await model.caughtUp();
    expect(await total('a')).toBe(2);
    await end();
  });

  test('what waits for a position gets it, although the pointer moves meanwhile', async () => {
    const { source, start, reader, end } = await stage();
    source.add('b', 1);
    const projection = sums(1, 1);
    const model = await start(projection);
    await model.caughtUp();
    const waiting = reader.waitFor(projection.collection, 'log', 0, 2, 5_000);
    await model.rebuild();
    source.add('b', 1);
    expect(await waiting).toBe(true);
    expect(await reader.waitFor(projection.collection, 'log', 0, 99, 30)).toBe(false);
    await end();
  });

  test('parks in a build as it does live, and redrives afterwards', async () => {
    const { source, start, total, end } = await stage();
    let broken = true;
    const poison: Projection = {
      ...sums(1, 1),
      project(event, before) {
        if (broken && event.data === 7) throw new Error('seven');
        return sums(1, 1).project(event, before);
      },
    };
    for (const [stream, data] of [
      ['a', 1],
      ['b', 2],
      ['a', 7],
      ['a', 1],
    ] as const)
      source.add(stream, data);
    const history: ReadModelOptions['history'] = async ({ lane, stream, version, until }) =>
      source.lanes[lane]!.filter(({ position }) => position <= until)
        .flatMap(({ events }) => events)
        .filter((event) => event.stream === stream && event.version > version);
    const model = await start(poison, { history });
    await model.caughtUp();
    expect([await total('a'), await total('b')]).toEqual([1, 2]);
    const [parked] = await model.parked();
    expect(parked).toMatchObject({ stream: 'a', version: 2, count: 2, error: 'Error: seven' });
    broken = false;
    expect(await model.redrive(parked!)).toEqual({ applied: 2, parked: undefined });
    expect(await total('a')).toBe(9);
    await end();
  });
});

describe('a rebuild', () => {
  test('gives what the live model has, whatever the history, the batches and the poison', async () => {
    const moves = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: -3, max: 9 })), {
      maxLength: 40,
    });
    const projection: Projection = {
      collection: { name: 'trail', version: 1, fields: { last: 'number' } },
      key: ({ stream }) => (stream === 'd' ? 'b' : stream),
      project({ data, at, version }, before) {
        if (data === 9) throw new Error('nine');
        if (data === 0) return null;
        return { last: data, at, trail: [...((before?.['trail'] as unknown[]) ?? []), [version, data]] };
      },
    };
    await fc.assert(
      fc.asyncProperty(moves, fc.nat(20), async (all, early) => {
        const source = new Source();
        for (const [stream, amount] of all.slice(0, early)) source.add(stream, amount);
        const documents = memoryDocuments();
        const reader = await liveDocuments(documents, { ttl: 0 });
        const model = await readModel({
          documents,
          projection,
          source: 'log',
          feed: source.feed,
          owner: 'p',
          tries: 1,
        });
        for (const [stream, amount] of all.slice(early)) source.add(stream, amount);
        await model.caughtUp();
        const read = async () => [
          (await reader.query(projection.collection, 'school', { limit: 200 })).items,
          (await model.parked()).map(({ since: _since, ...rest }) => rest),
        ];
        const live = await read();
        await model.rebuild();
        await model.caughtUp();
        expect(await read()).toEqual(live);
        await model.close();
      }),
      { numRuns: 40 },
    );
  });
});
