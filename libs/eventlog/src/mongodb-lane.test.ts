import { describe, expect, test } from '@jest/globals';
import { Lane } from './mongodb-lane.ts';
import type { LaneIndex } from './mongodb-lane-index.ts';
import type { StoredCommit } from './store.ts';

/** A commit of a lane, which names the one before. */
const at = (position: number): StoredCommit => {
  const [commitId, prev] = [`c${position}`, position > 1 ? `c${position - 1}` : ''];
  const [lane, tenant, fingerprint, time] = [0, 'school_a', '', ''];
  return { lane, position, tenant, commitId, prev, fingerprint, at: time, meta: '{}', streams: [], events: '[]' };
};
const upTo = (head: number): StoredCommit[] => Array.from({ length: head }, (_, index) => at(index + 1));

/** A lane of a server that gives at most `page` commits at once; `asked` is after which positions it was asked. */
function laneOf(stored: StoredCommit[], page: number): { lane: Lane; asked: number[]; learned: number[] } {
  const asked: number[] = [];
  const learned: number[] = [];
  const index: Partial<LaneIndex> = {
    forget: () => undefined,
    open: async () => undefined,
    learn: ({ position }) => void learned.push(position),
    following: async (position) => {
      asked.push(position);
      const commits = stored.slice(position, position + page);
      return { commits, end: commits.length < page };
    },
  };
  return { lane: new Lane(0, index as LaneIndex), asked, learned };
}

describe('a look at the end of a lane', () => {
  test('asks once when one answer holds all that was new', async () => {
    const stored = upTo(3);
    const { lane, asked, learned } = laneOf(stored, 10);
    expect((await lane.refresh()).position).toBe(3);
    expect(asked).toEqual([0]);
    stored.push(at(4));
    expect((await lane.refresh()).position).toBe(4);
    expect([asked, learned]).toEqual([
      [0, 3],
      [1, 2, 3, 4],
    ]);
  });

  test('goes on until an answer was the end', async () => {
    const { lane, asked, learned } = laneOf(upTo(5), 2);
    expect((await lane.refresh()).position).toBe(5);
    expect(asked).toEqual([0, 2, 4]);
    expect(learned).toEqual([1, 2, 3, 4, 5]);
  });

  test('passes over what this process has stored meanwhile', async () => {
    const stored = upTo(2);
    const { lane, learned } = laneOf(stored, 10);
    await lane.refresh();
    stored.push(at(3), at(4));
    const looking = lane.refresh();
    lane.learn(at(3));
    expect((await looking).position).toBe(4);
    expect(learned).toEqual([1, 2, 3, 4]);
  });
});
