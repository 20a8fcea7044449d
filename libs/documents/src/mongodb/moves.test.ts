import { type FaultProxy, availability, startFaultProxy, until } from '@lyceum/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { mongodbDocuments } from './mongodb.ts';
import type { MoveRecord } from './moves.ts';
import { changesOf, scopeOf } from './record.ts';
import { StoredCollection } from './mongodb-collection.ts';
import { CheckpointFenced, type Collection, type Documents, DocumentsUnavailable } from '../port.ts';

const [scanned, indexed] = await Promise.all([availability('mongodb'), availability('mongodb-indexed')]);
for (const { engines, reason } of [scanned, indexed])
  if (engines.length === 0) test.skip(`projectors on MongoDB-wire servers: ${reason}`, () => undefined);

let versions = 0;
const counters = (): Collection => ({ name: 'counter', version: (versions += 1), fields: { count: 'number' } });
const write = (id: string, count: number | null) => ({ tenant: 'a', id, body: count === null ? null : { count } });

describe.each([...scanned.engines, ...indexed.engines])('projectors on $title', (engine) => {
  const used = engine.usedAs;
  const database = `moves_${randomUUID().slice(0, 8)}`;
  const opened: Documents[] = [];
  let client: MongoClient;
  let proxy: FaultProxy;
  beforeAll(async () => {
    const { url } = await engine.shared();
    client = new MongoClient(url);
    proxy = await startFaultProxy(url);
  });
  afterAll(async () => {
    await Promise.all(opened.map((each) => each.close()));
    await proxy.stop();
    await client.db(database).dropDatabase();
    await client.close();
  });

  /** The documents as another process sees them: on a client of its own. */
  async function open(collection: Collection, url?: string): Promise<Documents> {
    const own = url ?? `${(await engine.shared()).url}?appName=p${opened.length}`;
    const documents = await mongodbDocuments({ url: own, database, ...(used && { engine: used }) });
    opened.push(documents);
    await documents.open(collection);
    return documents;
  }
  const scope = scopeOf('log', 0);
  /** What a projector has at hand in the middle of a step. */
  const shelf = (collection: Collection): StoredCollection =>
    new StoredCollection(
      client.db(database),
      used ?? (engine.title.startsWith('FerretDB 1') ? 'ferretdb-1' : 'replica-set'),
      collection,
    );

  test('a projector that dies after a step is decided: the next one makes the step before it goes on', async () => {
    const collection = counters();
    const documents = await open(collection);
    await documents.apply(collection, 'log', 0, 0, 5, [write('x', 1)]);
    const { moves } = shelf(collection);
    await moves.begin(scope, await moves.last(scope), 9, changesOf(collection, [write('x', 2), write('y', 7)]));
    const next = await open(collection);
    expect(await next.waitFor(collection, 'log', 0, 9, 30)).toBe(false);
    expect(await next.get(collection, 'a', 'x')).toEqual({ count: 1 });
    expect(await next.checkpoint(collection, 'log', 0)).toBe(9);
    expect(await next.get(collection, 'a', 'x')).toEqual({ count: 2 });
    expect(await next.get(collection, 'a', 'y')).toEqual({ count: 7 });
    // The dead one's successor in its own process has not heard of it.
    await expect(documents.apply(collection, 'log', 0, 5, 6, [write('x', 3)])).rejects.toThrow(CheckpointFenced);
    expect(await documents.get(collection, 'a', 'x')).toEqual({ count: 2 });
  });

  test('a write that leaves a checkpoint where it is fences those who looked at it before', async () => {
    const collection = counters();
    const [documents, other] = [await open(collection), await open(collection)];
    await documents.checkpointOf(collection, 'log', 0);
    await other.apply(collection, 'log', 0, 0, 0, [write('x', 1)]);
    const late = () => documents.apply(collection, 'log', 0, 0, 0, [write('x', 2)]);
    await expect(late()).rejects.toThrow(CheckpointFenced);
    expect(await other.get(collection, 'a', 'x')).toEqual({ count: 1 });
    // It has looked again since.
    await late();
    await expect(other.apply(collection, 'log', 0, 0, 4, [write('x', 3)])).rejects.toThrow(CheckpointFenced);
    expect(await other.get(collection, 'a', 'x')).toEqual({ count: 2 });
  });

  test('checkpoints that move alone at one time: those that another process has moved are fenced, and no other', async () => {
    const collection = counters();
    const [documents, other] = [await open(collection), await open(collection)];
    const lanes = [0, 1, 2, 3];
    const steps = (at: number) => lanes.map((lane) => documents.apply(collection, 'log', lane, at, at + 1, []));
    for (let at = 0; at < 20; at += 1) await Promise.all(steps(at));
    await other.apply(collection, 'log', 1, 20, 25, []);
    const settled = await Promise.allSettled(steps(20));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    const seen = await Promise.all(lanes.map((lane) => other.checkpoint(collection, 'log', lane)));
    expect(seen).toEqual([21, 25, 21, 21]);
  });

  test('a projector that wakes in the middle of a step, long after others went on, changes nothing', async () => {
    const collection = counters();
    const documents = await open(collection);
    await documents.apply(collection, 'log', 0, 0, 1, [write('x', 1), write('z', 1)]);
    const sleeper = shelf(collection);
    const changes = changesOf(collection, [write('x', 2), write('z', 2)]);
    const move = (await sleeper.moves.begin(scope, await sleeper.moves.last(scope), 2, changes))!;
    const next = await open(collection);
    expect(await next.checkpoint(collection, 'log', 0)).toBe(2);
    for (let at = 2; at < 6; at += 1)
      await next.apply(collection, 'log', 0, at, at + 1, [write('x', at + 1), write('z', null)]);
    await sleeper.make(move, changes);
    expect(await next.get(collection, 'a', 'x')).toEqual({ count: 6 });
    expect(await next.get(collection, 'a', 'z')).toBeUndefined();
    expect((await next.query(collection, 'a', { limit: 9 })).items).toHaveLength(1);
    expect(await (await open(collection)).checkpoint(collection, 'log', 0)).toBe(6);
  });

  test('a step that starts from a place long left leads nowhere, though its place was cleared away', async () => {
    const collection = counters();
    const documents = await open(collection);
    const stale = await open(collection);
    await documents.apply(collection, 'log', 0, 0, 1, [write('x', 1)]);
    expect(await stale.checkpoint(collection, 'log', 0)).toBe(1);
    for (let at = 1; at < 8; at += 1) await documents.apply(collection, 'log', 0, at, at + 1, [write('x', at + 1)]);
    await expect(stale.apply(collection, 'log', 0, 1, 2, [write('x', 99)])).rejects.toThrow(CheckpointFenced);
    expect(await stale.get(collection, 'a', 'x')).toEqual({ count: 8 });
    expect(await stale.checkpoint(collection, 'log', 0)).toBe(8);
  });

  test('a step that was made in part is made whole, whichever of its documents were written', async () => {
    for (const written of [0, 1, 2]) {
      const collection = counters();
      const { moves, documents } = shelf(collection);
      const changes = changesOf(collection, [write('x', 1), write('y', 2), write('z', 3)]);
      const { epoch } = (await moves.begin(scope, await moves.last(scope), 4, changes))!;
      const { key, content } = changes[written]!;
      await documents.insertOne({ _id: key, ...content, epochs: { [scope]: epoch } });
      const next = await open(collection);
      expect(await next.checkpoint(collection, 'log', 0)).toBe(4);
      const found = await Promise.all(['x', 'y', 'z'].map((id) => next.get(collection, 'a', id)));
      expect(found).toEqual([{ count: 1 }, { count: 2 }, { count: 3 }]);
    }
  });

  test('many documents that are there already are changed by one step, and the server goes on', async () => {
    const collection = counters();
    const documents = await open(collection);
    const all = (count: number) => Array.from({ length: 120 }, (_, n) => write(`many-${n}`, count));
    await documents.apply(collection, 'log', 0, 0, 1, all(1));
    await documents.apply(collection, 'log', 0, 1, 2, all(2));
    expect(await documents.get(collection, 'a', 'many-119')).toEqual({ count: 2 });
  });

  test('two lanes that write the same new documents at once: no write of either is left out', async () => {
    const collection = counters();
    const ids = Array.from({ length: 60 }, (_, n) => `both-${n}`);
    const lanes = [scopeOf('log', 0), scopeOf('log', 1)];
    await Promise.all(
      lanes.map(async (each) => {
        const own = shelf(collection);
        const changes = changesOf(
          collection,
          ids.map((id) => write(id, 1)),
        );
        await own.make((await own.moves.begin(each, await own.moves.last(each), 1, changes))!, changes);
      }),
    );
    const stored = await shelf(collection).documents.find().toArray();
    expect(stored).toHaveLength(ids.length);
    expect(stored.filter(({ epochs }) => lanes.some((each) => epochs[each] !== 1))).toEqual([]);
  });

  test('projectors of several processes race through a lane: every step is made once, in order', async () => {
    const collection = counters();
    const racers = await Promise.all(Array.from({ length: 3 }, () => open(collection)));
    const made: number[] = [];
    const racer = async (documents: Documents): Promise<void> => {
      for (;;) {
        const at = await documents.checkpoint(collection, 'log', 0);
        if (at >= 20) return;
        const before = ((await documents.get(collection, 'a', 'x')) as { count: number } | undefined)?.count ?? 0;
        try {
          await documents.apply(collection, 'log', 0, at, at + 1, [write('x', before + 1)]);
          made.push(at + 1);
        } catch (error) {
          if (!(error instanceof CheckpointFenced)) throw error;
        }
      }
    };
    await Promise.all(racers.map(racer));
    expect(made.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(await racers[0]!.get(collection, 'a', 'x')).toEqual({ count: 20 });
  });

  describe('E-D6: the trace of a deleted document', () => {
    const week = 7 * 24 * 3_600_000;
    const [yes, no] = [() => true, () => false];
    /** As if every document that is gone had been deleted so long ago. */
    const age = (collection: Collection, milliseconds: number) =>
      client
        .db(database)
        .collection(`documents_counter@${collection.version}`)
        .updateMany({ gone: { $gt: 0 } }, { $set: { gone: Date.now() - milliseconds } });
    const there = async (collection: Collection) =>
      (await client.db(database).collection(`documents_counter@${collection.version}`).find().toArray()).map(
        ({ _id, body }) => `${String(_id)}${body === null ? ' gone' : ''}`,
      );

    /** Deletes a document until no more are left than that: what a server refuses to one deletion, it may do at the next. */
    const deleteUntil = async (collection: Collection, from: number, id: string, left: number): Promise<void> => {
      for (let at = from; at < from + 5; at += 1) {
        await (await open(collection)).apply(collection, 'log', 0, at, at + 1, [write(id, null)]);
        const isSwept = async () => (await there(collection)).length === left;
        if (await until(isSwept, 'old traces are deleted', 2_000).then(yes, no)) return;
      }
      throw new Error('old traces are not deleted');
    };

    test('stays for a week, and goes with a deletion that comes later', async () => {
      const collection = counters();
      const documents = await open(collection);
      await documents.apply(collection, 'log', 0, 0, 1, [write('x', 1), write('y', 1), write('z', 1)]);
      await documents.apply(collection, 'log', 0, 1, 2, [write('x', null)]);
      await age(collection, week - 60_000);
      await (await open(collection)).apply(collection, 'log', 0, 2, 3, [write('y', null)]);
      expect((await there(collection)).toSorted()).toEqual(['a/x gone', 'a/y gone', 'a/z']);
      await age(collection, week + 60_000);
      await deleteUntil(collection, 3, 'z', 1);
      expect(await there(collection)).toEqual(['a/z gone']);
    });

    test('is none of a document that came back', async () => {
      const collection = counters();
      const documents = await open(collection);
      await documents.apply(collection, 'log', 0, 0, 1, [write('x', 1), write('y', 1), write('z', 1)]);
      await documents.apply(collection, 'log', 0, 1, 2, [write('x', null), write('y', null)]);
      await age(collection, week + 60_000);
      await documents.apply(collection, 'log', 0, 2, 3, [write('x', 2)]);
      await deleteUntil(collection, 3, 'z', 2);
      expect((await there(collection)).toSorted()).toEqual(['a/x', 'a/z gone']);
      expect(await documents.get(collection, 'a', 'x')).toEqual({ count: 2 });
    });

    test('keeps a step of before, made once more, from writing the document', async () => {
      const collection = counters();
      const documents = await open(collection);
      await documents.apply(collection, 'log', 0, 0, 1, [write('x', 1)]);
      const stale = shelf(collection);
      const move = (await stale.moves.begin(
        scope,
        await stale.moves.last(scope),
        2,
        changesOf(collection, [write('x', 2)]),
      ))!;
      const changes = (await stale.moves.changes(move))!;
      await documents.checkpoint(collection, 'log', 0);
      await documents.apply(collection, 'log', 0, 2, 3, [write('x', null)]);
      await stale.make(move, changes);
      expect(await documents.get(collection, 'a', 'x')).toBeUndefined();
      expect(await documents.checkpoint(collection, 'log', 0)).toBe(3);
    });
  });

  test('a step of many megabytes is stored in parts, and no part stays behind', async () => {
    const collection = counters();
    const { moves } = shelf(collection);
    const text = '😀é'.repeat(400_000);
    const big = Array.from({ length: 3 }, (_, index) => ({ tenant: 'a', id: `${index}`, body: { text } }));
    const changes = changesOf(collection, big);
    const move = (await moves.begin(scope, await moves.last(scope), 3, changes))!;
    expect(move.parts).toBeGreaterThan(1);
    expect(await moves.changes(move)).toEqual(changes);
    await moves.end(move);
    const left = await client
      .db(database)
      .collection<MoveRecord>(`moves_counter@${collection.version}`)
      .find()
      .toArray();
    expect(left.map(({ state, changes: kept }) => [state, kept])).toEqual([['moved', '']]);
  });

  test('old steps of many checkpoints do not stay behind, and are deleted by few commands', async () => {
    const collection = counters();
    const { moves } = shelf(collection);
    const scopes = Array.from({ length: 5 }, (_, lane) => scopeOf('log', lane));
    let ends = await Promise.all(scopes.map((each) => moves.last(each)));
    for (let step = 1; step <= 20; step += 1)
      ends = await Promise.all(scopes.map(async (each, index) => (await moves.step(each, ends[index]!, step))!));
    expect(ends.map(({ position }) => position)).toEqual(scopes.map(() => 20));
    const kept = client.db(database).collection<MoveRecord>(`moves_counter@${collection.version}`);
    // Deleted with the eighth and the sixteenth steps: those, and four that came later, are there.
    expect((await kept.distinct('epoch')).toSorted((a, b) => a - b)).toEqual([16, 17, 18, 19, 20]);
    expect(await kept.countDocuments({ epoch: 16 })).toBe(scopes.length);
  });

  test('connections cut at random, again and again: documents and checkpoint never part', async () => {
    const collection = counters();
    const documents = await open(collection, `mongodb://127.0.0.1:${proxy.port}/?directConnection=true`);
    const cutter = setInterval(() => proxy.drop(), 200);
    let failures = 0;
    let made = 0;
    for (const began = Date.now(); (made < 6 || failures < 3) && Date.now() - began < 20_000;)
      try {
        const at = await documents.checkpoint(collection, 'log', 0);
        const { count } = ((await documents.get(collection, 'a', 'x')) ?? { count: 0 }) as { count: number };
        // Each step counts one, so whatever happened before, they are equal.
        expect(count).toBe(at);
        await documents.apply(collection, 'log', 0, at, at + 1, [write('x', at + 1), write('y', -at)]);
        made += 1;
      } catch (error) {
        if (!(error instanceof DocumentsUnavailable)) throw error;
        failures += 1;
      }
    clearInterval(cutter);
    // The last cut may still have to be noticed.
    await documents.get(collection, 'a', 'x').catch(() => undefined);
    const at = await documents.checkpoint(collection, 'log', 0);
    expect(await documents.get(collection, 'a', 'x')).toEqual({ count: at });
    expect(failures).toBeGreaterThan(0);
    expect(made).toBeGreaterThan(0);
    expect(at).toBeGreaterThanOrEqual(made);
  });

  test('a server that is down is unavailable within 3 s, and back without opening again', async () => {
    const collection = counters();
    const documents = await open(collection, `mongodb://127.0.0.1:${proxy.port}/?directConnection=true`);
    await documents.apply(collection, 'log', 0, 0, 1, [write('x', 1)]);
    proxy.refuse();
    const began = Date.now();
    const calls = [
      documents.get(collection, 'a', 'x'),
      documents.query(collection, 'a', { limit: 1 }),
      documents.apply(collection, 'log', 0, 1, 2, []),
    ];
    for (const each of await Promise.allSettled(calls))
      expect(each).toMatchObject({ status: 'rejected', reason: expect.any(DocumentsUnavailable) });
    expect(Date.now() - began).toBeLessThan(3_000);
    proxy.restore();
    expect(await documents.get(collection, 'a', 'x')).toEqual({ count: 1 });
    await documents.apply(collection, 'log', 0, 1, 2, [write('x', 2)]);
    expect(await documents.checkpoint(collection, 'log', 0)).toBe(2);
  });
});
