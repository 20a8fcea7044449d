import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CheckpointFenced, type Collection, type Document, type Documents } from '../port.ts';
import { expected, opened, shelfCondition, shelfContent, shelfDocument, write } from './sample-collection.ts';

/** Writes, checkpoints and waiting. */
export function testWrites(documents: () => Documents, lacksNul: boolean): void {
  test('a document comes back as it was written, and is nobody else’s object', async () => {
    const collection = await opened(documents());
    const title = `Ünïcode 😀 ${lacksNul ? '' : '\u0000'}`;
    const body = { title, nested: { list: [1, null, { deep: '中' }] } };
    await documents().apply(collection, 'log', 0, 0, 1, [write('x', body)]);
    body.nested.list.length = 0;
    const found = await documents().get(collection, 'a', 'x');
    expect(found).toEqual({ title, nested: { list: [1, null, { deep: '中' }] } });
    expect(await documents().get(collection, 'a', 'y')).toBeUndefined();
  });

  test('a later body replaces fields and set members, and null deletes all of it', async () => {
    const collection = await opened(documents());
    const has = async (tag: string) =>
      (await documents().query(collection, 'a', { where: [{ field: 'tags', has: tag }], limit: 9 })).items.length;
    await documents().apply(collection, 'log', 0, 0, 1, [write('x', { title: 'one', tags: ['old', 'old'] })]);
    await documents().apply(collection, 'log', 0, 1, 2, [write('x', { tags: ['new'] })]);
    expect([await has('old'), await has('new')]).toEqual([0, 1]);
    expect(await documents().get(collection, 'a', 'x')).toEqual({ tags: ['new'] });
    await documents().apply(collection, 'log', 0, 2, 3, [write('x', null), write('never', null)]);
    expect(await has('new')).toBe(0);
    expect(await documents().get(collection, 'a', 'x')).toBeUndefined();
    expect((await documents().query(collection, 'a', { limit: 9 })).items).toEqual([]);
  });

  test('of several writes to one document the last counts', async () => {
    const collection = await opened(documents());
    const writes = [write('x', { price: 1 }), write('x', null), write('x', { price: 2, tags: ['t'] })];
    await documents().apply(collection, 'log', 0, 0, 1, writes);
    expect(await documents().get(collection, 'a', 'x')).toEqual({ price: 2, tags: ['t'] });
  });

  test('of many writes at once, new, changed and deleted, the last to each document counts', async () => {
    const collection = await opened(documents());
    const ids = Array.from({ length: 30 }, (_, index) => `many-${index}`);
    const change = fc.record({
      id: fc.constantFrom(...ids),
      body: fc.option(shelfDocument, { freq: 6 }),
      before: fc.option(shelfDocument, { nil: undefined }),
    });
    const stored = new Map<string, Document>();
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 60, size: 'max' }), async (changes) => {
        const at = await documents().checkpoint(collection, 'log', 0);
        const writes = changes.map(({ id, body, before }) => ({ ...write(id, body), ...(before && { before }) }));
        await documents().apply(collection, 'log', 0, at, at + 1, writes);
        for (const { id, body } of changes)
          if (body) stored.set(id, body);
          else stored.delete(id);
        const there = [...stored].map(([id, body]) => ({ id, body }));
        for (const where of [undefined, [{ field: 'tags', has: 'new' }] as const]) {
          const found = await documents().query(collection, 'a', { limit: 100, ...(where && { where }) });
          expect(found.items).toEqual(JSON.parse(JSON.stringify(expected(there, where ?? [], undefined))));
        }
      }),
      { numRuns: 25 },
    );
  });

  test('what a write believes to be there is never relied on: right, wrong or missing, the same is found afterwards', async () => {
    const step = fc.record({
      body: fc.option(shelfDocument),
      belief: fc.oneof(fc.constantFrom('right', 'none'), shelfDocument),
    });
    const collection = await opened(documents());
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.array(shelfCondition), async (steps, conditions) => {
        const id = 'believed';
        let stored: Document | undefined;
        for (const { body, belief } of steps) {
          const before = belief === 'right' ? stored : belief === 'none' ? undefined : (belief as Document);
          const at = await documents().checkpoint(collection, 'log', 0);
          const believing = { ...write(id, body), ...(before && { before }) };
          await documents().apply(collection, 'log', 0, at, at + 1, [believing]);
          stored = body ?? undefined;
        }
        for (const where of conditions.map((condition) => [condition])) {
          const wanted = expected(stored ? [{ id, body: stored }] : [], where, undefined);
          const found = await documents().query(collection, 'a', { where, limit: 2 });
          expect(found.items).toEqual(JSON.parse(JSON.stringify(wanted)));
        }
        const at = await documents().checkpoint(collection, 'log', 0);
        await documents().apply(collection, 'log', 0, at, at + 1, [write(id, null)]);
      }),
      { numRuns: 40, interruptAfterTimeLimit: 5_000 },
    );
  });

  test('each source and lane has its own checkpoint, 0 at first', async () => {
    const collection = await opened(documents());
    await documents().apply(collection, 'log', 1, 0, 7, []);
    await documents().apply(collection, 'auth', 1, 0, 3, []);
    expect(await documents().checkpoint(collection, 'log', 0)).toBe(0);
    expect(await documents().checkpoint(collection, 'log', 1)).toBe(7);
    expect(await documents().checkpoint(collection, 'auth', 1)).toBe(3);
    expect(await documents().checkpoint(await opened(documents()), 'log', 1)).toBe(0);
  });

  test('a checkpoint names its commit, and none when the step there named none', async () => {
    const collection = await opened(documents());
    const at = () => documents().checkpointOf(collection, 'log', 1);
    expect(await at()).toEqual({ position: 0 });
    await documents().apply(collection, 'log', 1, 0, { position: 7, commitId: 'seven' }, [write('x', {})]);
    expect(await at()).toEqual({ position: 7, commitId: 'seven' });
    expect(await documents().checkpoint(collection, 'log', 1)).toBe(7);
    await documents().apply(collection, 'log', 1, 7, 9, []);
    expect(await at()).toEqual({ position: 9 });
    // Another history of the source: everything begins anew.
    await documents().apply(collection, 'log', 1, 9, 0, []);
    await documents().apply(collection, 'log', 1, 0, { position: 2, commitId: 'two' }, []);
    expect(await at()).toEqual({ position: 2, commitId: 'two' });
  });

  test('a write from another position than the checkpoint is fenced and changes nothing', async () => {
    const collection = await opened(documents());
    await documents().apply(collection, 'log', 0, 0, 5, [write('x', { price: 1 })]);
    for (const from of [0, 4, 6]) {
      const late = documents().apply(collection, 'log', 0, from, 9, [write('x', { price: 2 }), write('y', {})]);
      await expect(late).rejects.toThrow(CheckpointFenced);
    }
    expect(await documents().get(collection, 'a', 'x')).toEqual({ price: 1 });
    expect(await documents().get(collection, 'a', 'y')).toBeUndefined();
    expect(await documents().checkpoint(collection, 'log', 0)).toBe(5);
  });

  test('documents may change while the checkpoint stays, if it stands where the writer thinks', async () => {
    const collection = await opened(documents());
    await documents().apply(collection, 'log', 0, 0, 5, [write('x', { price: 1 })]);
    await documents().apply(collection, 'log', 0, 5, 5, [write('x', { price: 2 }), write('y', {})]);
    expect(await documents().get(collection, 'a', 'x')).toEqual({ price: 2 });
    expect(await documents().checkpoint(collection, 'log', 0)).toBe(5);
    await expect(documents().apply(collection, 'log', 0, 4, 4, [write('x', null)])).rejects.toThrow(CheckpointFenced);
    await documents().apply(collection, 'log', 0, 5, 6, [write('x', { price: 3 })]);
    expect(await documents().get(collection, 'a', 'x')).toEqual({ price: 3 });
  });

  test('two sources write one document, each behind its own checkpoint', async () => {
    const collection = await opened(documents());
    await documents().apply(collection, 'log', 0, 0, 9, [write('x', { price: 1 })]);
    await documents().apply(collection, 'log again', 0, 0, 4, [write('x', { price: 2 })]);
    await documents().apply(collection, 'log', 0, 9, 10, [write('x', { price: 3 })]);
    await documents().apply(collection, 'log again', 0, 4, 9, [write('x', { price: 4 })]);
    expect(await documents().get(collection, 'a', 'x')).toEqual({ price: 4 });
  });

  test('a dropped collection is gone with its checkpoints; others stay, and it can be opened anew with other fields', async () => {
    const [gone, stays] = [await opened(documents()), await opened(documents())];
    for (const each of [gone, stays]) await documents().apply(each, 'log', 0, 0, 5, [write('x', { tags: ['t'] })]);
    await documents().drop(gone);
    await documents().drop(gone);
    await expect(documents().get(gone, 'a', 'x')).rejects.toThrow();
    const anew: Collection = { ...gone, fields: { tags: 'set' } };
    await documents().open(anew);
    expect(await documents().checkpoint(anew, 'log', 0)).toBe(0);
    expect((await documents().query(anew, 'a', { where: [{ field: 'tags', has: 't' }], limit: 9 })).items).toEqual([]);
    expect(await documents().get(stays, 'a', 'x')).toEqual({ tags: ['t'] });
  });

  test('of two projectors at the same position exactly one applies', async () => {
    const collection = await opened(documents());
    const both = [1, 2].map((price) => documents().apply(collection, 'log', 0, 0, 1, [write('x', { price })]));
    const results = await Promise.allSettled(both);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('a batch with one unacceptable document is refused whole', async () => {
    const unacceptable = [
      write('y', { price: 'ten' }),
      write('y', { price: Number.NaN }),
      write('y', { tags: 'new' }),
      write('y', { title: 1 }),
      write('', {}),
      write('y', {}, ''),
      write('nul\0', {}),
      write('\ud800', {}),
    ];
    const collection = await opened(documents());
    for (const bad of unacceptable)
      await expect(documents().apply(collection, 'log', 0, 0, 1, [write('x', {}), bad])).rejects.toThrow(/must be/);
    expect((await documents().query(collection, 'a', { limit: 9 })).items).toEqual([]);
    expect(await documents().checkpoint(collection, 'log', 0)).toBe(0);
  });

  test('documents of two tenants under one id live side by side', async () => {
    const collection = await opened(documents());
    await fc.assert(
      fc.asyncProperty(shelfContent, async (all) => {
        const at = await documents().checkpoint(collection, 'log', 0);
        const writes = all.flatMap(({ id }) => [write(id, { note: 'a' }), write(id, { note: 'b' }, 'b')]);
        await documents().apply(collection, 'log', 0, at, at + 1, writes);
        await documents().apply(
          collection,
          'log',
          0,
          at + 1,
          at + 2,
          all.map(({ id }) => write(id, null)),
        );
        for (const { id } of all) {
          expect(await documents().get(collection, 'a', id)).toBeUndefined();
          expect(await documents().get(collection, 'b', id)).toEqual({ note: 'b' });
        }
      }),
      { numRuns: 20, interruptAfterTimeLimit: 5_000 },
    );
  });

  test('waiting ends when the position is applied, at once when it is already', async () => {
    const collection = await opened(documents());
    const waiting = documents().waitFor(collection, 'log', 0, 2, 10_000);
    await documents().apply(collection, 'log', 0, 0, 1, []);
    expect(await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 20, 'still'))])).toBe('still');
    await documents().apply(collection, 'log', 0, 1, 3, [write('x', {})]);
    expect(await waiting).toBe(true);
    expect(await documents().waitFor(collection, 'log', 0, 3, 10_000)).toBe(true);
  });

  test('waiting for another lane, source or a later position ends false after the time given', async () => {
    const collection = await opened(documents());
    const waits = [
      documents().waitFor(collection, 'log', 1, 1, 30),
      documents().waitFor(collection, 'auth', 0, 1, 30),
      documents().waitFor(collection, 'log', 0, 2, 30),
    ];
    await documents().apply(collection, 'log', 0, 0, 1, []);
    expect(await Promise.all(waits)).toEqual([false, false, false]);
  });
}
