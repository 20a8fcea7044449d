import { describe, expect, test } from '@jest/globals';
import { memoryDocuments } from '@lyceum/documents';
import { documentSnapshots } from './document-snapshots.ts';

const snapshot = (version: number, state: unknown) => ({ reducer: 1, version, event: `commit.${version}`, state });

describe('snapshots in documents', () => {
  test('the last one saved of a stream is the one loaded, whatever its version', async () => {
    const snapshots = await documentSnapshots(memoryDocuments());
    expect(await snapshots.load('a', 'course_1')).toBeUndefined();
    for (const version of [100, 200, 150]) await snapshots.save('a', 'course_1', snapshot(version, { version }));
    expect(await snapshots.load('a', 'course_1')).toEqual(snapshot(150, { version: 150 }));
  });

  test('tenants and streams are kept apart', async () => {
    const snapshots = await documentSnapshots(memoryDocuments());
    await snapshots.save('a', 'course_1', snapshot(1, 'of a'));
    await snapshots.save('b', 'course_1', snapshot(1, 'of b'));
    expect((await snapshots.load('a', 'course_1'))?.state).toBe('of a');
    expect(await snapshots.load('a', 'course_2')).toBeUndefined();
    expect(await snapshots.load('c', 'course_1')).toBeUndefined();
  });

  test('of two that are saved at once, one is kept and neither fails', async () => {
    const snapshots = await documentSnapshots(memoryDocuments());
    await Promise.all([1, 2, 3].map((version) => snapshots.save('a', 'course_1', snapshot(version, version))));
    expect([1, 2, 3]).toContain((await snapshots.load('a', 'course_1'))?.state);
  });
});
