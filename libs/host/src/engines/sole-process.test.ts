import { afterEach, describe, expect, test } from '@jest/globals';
import { type Documents, DocumentsUnavailable, memoryDocuments } from '@lyceum/documents';
import { setTimeout as pause } from 'node:timers/promises';
import { AnotherProcess, type SoleProcess, beSoleProcess } from './sole-process.ts';

const times = { beat: 30, look: 15, lifetime: 150 };

describe('the data of a service in a store that would let others in', () => {
  const all: SoleProcess[] = [];
  afterEach(async () => {
    for (const each of all.splice(0)) await each.close();
  });
  const begin = async (documents: Documents) => {
    const lost: unknown[] = [];
    const onLost = (error: unknown) => void lost.push(error);
    const process = await beSoleProcess({ documents, onError: () => undefined, onLost, times });
    all.push(process);
    return { process, lost };
  };

  /** A process that can be stopped and woken: its store does not answer meanwhile. */
  const sleepy = (documents: Documents) => {
    const state = { sleeps: false };
    const answer =
      <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) =>
      (...args: Args): Promise<T> =>
        state.sleeps ? Promise.reject(new DocumentsUnavailable('asleep')) : work(...args);
    const [open, checkpoint, apply] = [documents.open, documents.checkpoint, documents.apply].map((each) =>
      answer(each.bind(documents) as () => Promise<unknown>),
    );
    return { state, documents: { ...documents, open, checkpoint, apply } as unknown as Documents };
  };

  test('is one process’s: a second one is refused while the first lives, and not after it', async () => {
    const documents = memoryDocuments();
    const first = await begin(documents);
    await expect(begin(documents)).rejects.toThrow(AnotherProcess);
    await first.process.close();
    const before = performance.now();
    const second = await begin(documents);
    expect(performance.now() - before).toBeLessThan(2 * times.lifetime);
    expect([first.lost, second.lost]).toEqual([[], []]);
  });

  test('goes on being its own when the store was away, and is lost when another process came meanwhile', async () => {
    const documents = memoryDocuments();
    const { state, documents: own } = sleepy(documents);
    const first = await begin(own);
    state.sleeps = true;
    await pause(3 * times.lifetime);
    state.sleeps = false;
    await pause(4 * times.lifetime);
    expect(first.lost).toEqual([]);
    state.sleeps = true;
    const second = await begin(documents);
    state.sleeps = false;
    await pause(4 * times.lifetime);
    expect(first.lost).toEqual([expect.any(AnotherProcess)]);
    expect(second.lost).toEqual([]);
  });
});
