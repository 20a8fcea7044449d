import { expect, test } from '@jest/globals';
import {
  CheckpointFenced,
  type Collection,
  DeclarationChanged,
  type Documents,
  DocumentsUnavailable,
} from '../port.ts';
import { opened, shelf, write } from './sample-collection.ts';

/** Opening, closing and what stays. `open` gives the store of a place; `keeps` tells whether a place outlives closing. */
export function testLifetime(open: (place: string) => Promise<Documents>, keeps: boolean): void {
  const changed = (collection: Collection): Collection => ({ ...collection, fields: { title: 'text' } });

  test('opening a collection again changes nothing; with other fields it is refused with a clear message', async () => {
    const documents = await open('lifetime');
    const collection = await opened(documents);
    await documents.apply(collection, 'log', 0, 0, 4, [write('x', { price: 1 })]);
    await documents.open(collection);
    expect(await documents.get(collection, 'a', 'x')).toEqual({ price: 1 });
    const refused = documents.open(changed(collection));
    await expect(refused).rejects.toThrow(DeclarationChanged);
    await expect(refused).rejects.toThrow(`shelf@${collection.version}`);
    await documents.close();
  });

  test.each([
    ['name', { name: 'x"; DROP', version: 1, fields: {} }],
    ['version', { name: 'x', version: 0, fields: {} }],
    ['field', { name: 'x', version: 1, fields: { 'a b': 'text' } }],
    ['kind', { name: 'x', version: 1, fields: { a: 'date' } }],
    ['fields that differ in case only', { name: 'x', version: 1, fields: { a: 'text', A: 'text' } }],
  ])('a declaration with an unacceptable %s is refused', async (_title, collection) => {
    const documents = await open('declaration');
    await expect(documents.open(collection as Collection)).rejects.toThrow(RangeError);
    await documents.close();
  });

  test('a closed store says so, and ends the waits', async () => {
    const documents = await open('closed');
    const collection = await opened(documents);
    const waiting = documents.waitFor(collection, 'log', 0, 1, 10_000);
    await documents.close();
    expect(await waiting).toBe(false);
    await expect(documents.get(collection, 'a', 'x')).rejects.toThrow(DocumentsUnavailable);
    await expect(documents.apply(collection, 'log', 0, 0, 1, [])).rejects.toThrow(DocumentsUnavailable);
  });

  if (!keeps) return;
  test('documents, checkpoints and declarations are there after reopening', async () => {
    const collection = shelf();
    const before = await open('kept');
    await before.open(collection);
    await before.apply(collection, 'log', 2, 0, { position: 9, commitId: 'nine' }, [
      write('x', { title: 'kept', tags: ['t'] }),
    ]);
    await before.close();
    const after = await open('kept');
    await expect(after.open(changed(collection))).rejects.toThrow(DeclarationChanged);
    await after.open(collection);
    expect(await after.get(collection, 'a', 'x')).toEqual({ title: 'kept', tags: ['t'] });
    expect(await after.checkpointOf(collection, 'log', 2)).toEqual({ position: 9, commitId: 'nine' });
    await expect(after.apply(collection, 'log', 2, 0, 1, [])).rejects.toThrow(CheckpointFenced);
    await after.close();
  });
}
