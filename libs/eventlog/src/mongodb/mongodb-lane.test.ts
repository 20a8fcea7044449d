import { describe, expect, test } from '@jest/globals';
import { HeadMissing, Lane } from './mongodb-lane.ts';
import type { LaneIndex } from './lane-index.ts';
import type { StoredCommit } from '../storage/store.ts';

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

describe('E-C1: a lane after an election', () => {
  /** A lane whose newest commits can be hidden, or be others, after a failure. */
  async function elected(isSameEpoch: boolean) {
    const stored = upTo(5);
    let visible = stored;
    const index: Partial<LaneIndex> = {
      forget: () => undefined,
      learn: () => undefined,
      open: async () => visible.at(-1),
      following: async (position) => ({ commits: visible.slice(position), end: true }),
      reread: async (position) => visible[position - 1],
    };
    const lane = new Lane(0, index as LaneIndex, async () => isSameEpoch);
    expect((await lane.refresh()).position).toBe(5);
    lane.distrust();
    return { lane, stored, show: (commits: StoredCommit[]) => (visible = commits) };
  }

  test('never goes back behind what it knew: it cannot be read until the newest commit is there again', async () => {
    const { lane, stored, show } = await elected(true);
    show(stored.slice(0, 4));
    for (let tries = 0; tries < 2; tries += 1) await expect(lane.head()).rejects.toThrow(HeadMissing);
    show(stored);
    expect((await lane.head()).position).toBe(5);
  });

  test('begins anew where another commit is in the place of the newest, or the log is in another epoch', async () => {
    const { lane, stored, show } = await elected(true);
    show([...stored.slice(0, 4), { ...at(5), commitId: 'other' }]);
    expect(await lane.head()).toEqual({ position: 5, commitId: 'other' });
    const replaced = await elected(false);
    replaced.show(replaced.stored.slice(0, 2));
    expect((await replaced.lane.head()).position).toBe(2);
  });
});
