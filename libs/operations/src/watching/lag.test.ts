import { describe, expect, test } from '@jest/globals';
import type { History, Message } from '@lyceum/channel';
import { FactLag } from './lag.ts';

const message = (position: number): Message => ({
  source: 'auth',
  lane: 0,
  position,
  previous: 0,
  tenant: 'school_1',
  at: `2026-01-05T08:00:0${position}.000Z`,
  facts: [],
});

/** A history of ten commits, with facts at some positions; counts what is read. */
function historyOf(positions: readonly number[]) {
  const reads: number[] = [];
  const history: History = {
    lanes: 1,
    heads: async () => ({ heads: [10, 10, 10, 10] }),
    async backfill(_lane, after) {
      reads.push(after);
      return positions.filter((position) => position > after).map(message);
    },
  };
  return { history, reads };
}

const asked = (watermark: number) => ({ source: 'auth', lane: 0, watermark });

describe('how far a reader of facts is behind', () => {
  test('is counted from the first commit with facts that it has not handled', async () => {
    const lag = new FactLag(async () => historyOf([2, 6]).history);
    expect(await lag.of(asked(2))).toEqual({ head: 10, lag: 5, waiting_since: '2026-01-05T08:00:06.000Z' });
    expect(await lag.of(asked(10))).toEqual({ head: 10, lag: 0, waiting_since: null });
  });

  test('is nothing when only commits without facts follow, which are read once', async () => {
    const { history, reads } = historyOf([2, 6]);
    const lag = new FactLag(async () => history);
    for (let look = 0; look < 3; look += 1)
      expect(await lag.of(asked(6))).toEqual({ head: 10, lag: 0, waiting_since: null });
    expect(reads).toEqual([6]);
  });

  test('is unknown while the owner is unknown, fails or does not answer, and known again after', async () => {
    const unknown = { head: null, lag: null, waiting_since: null };
    expect(await new FactLag(async () => undefined).of(asked(1))).toEqual(unknown);
    expect(await new FactLag(() => new Promise(() => undefined)).of(asked(1))).toEqual(unknown);
    let isUp = false;
    const lag = new FactLag(async () => {
      if (!isUp) throw new Error('planned failure');
      return historyOf([2]).history;
    });
    expect(await lag.of(asked(1))).toEqual(unknown);
    isUp = true;
    expect((await lag.of(asked(1))).lag).toBe(9);
  });
});
