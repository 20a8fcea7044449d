import { describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { type Case, PeerMissing, type Side } from './case.ts';
import { measure } from './measure.ts';
import { table } from './report.ts';
import { quantile } from './statistics.ts';

const effort = { rounds: 3, milliseconds: 5 };

/** A side that does `operations` a round, and writes down its turns. */
const side = (name: string, turns: string[], operations: number): Side => ({
  name,
  goal: { atLeast: 1.5 },
  open: async () => ({
    round: async () => {
      turns.push(name);
      await pause(20);
      return { operations, latencies: [1, 2, 300] };
    },
    close: async () => void turns.push(`${name} closed`),
  }),
});

const absent: Side = {
  name: 'absent',
  open: () => Promise.reject(new PeerMissing('it is not installed')),
};

describe('a measurement', () => {
  test('takes turns, warms up once, and closes every side', async () => {
    const turns: string[] = [];
    const each: Case = { name: 'case', unit: 'things', sides: [side('a', turns, 1), absent, side('b', turns, 1)] };
    const result = await measure(each, effort);
    expect(turns).toEqual(['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b', 'a closed', 'b closed']);
    expect(result.missing).toEqual([{ name: 'absent', why: 'not measured: it is not installed' }]);
  });

  test('gives the ratio of ours to each other side, round by round, and says whether a goal is met', async () => {
    const sides: Case['sides'] = [side('ours', [], 400), side('slow', [], 100), side('fast', [], 800)];
    const result = await measure({ name: 'case', unit: 'things', sides, goals: { p99: 100 } }, effort);
    const [ours, slow, fast] = result.sides;
    expect(ours!.ratio).toBeUndefined();
    expect(slow!.ratio!.wall.median).toBeGreaterThan(2);
    expect(fast!.ratio!.wall.median).toBeLessThan(1);
    expect(ours!.p50!.median).toBe(2);
    const lines = table(result).split('\n');
    expect(lines.find((line) => line.startsWith('ours'))).toMatch(/p99 ≤ 100 MISSED$/);
    expect(lines.find((line) => line.startsWith('slow'))).toMatch(/≥ 1.5 holds$/);
    expect(lines.find((line) => line.startsWith('fast'))).toMatch(/≥ 1.5 MISSED$/);
  });

  test('a peer that fails is left out and says why, and the others are measured to the end', async () => {
    const turns: string[] = [];
    let left = 2;
    const peer: Side = {
      name: 'peer',
      open: async () => ({
        round: async () => {
          if ((left -= 1) < 0) throw new Error('SQLITE_BUSY');
          return { operations: 1 };
        },
        close: () => Promise.reject(new Error('still busy')),
      }),
    };
    const result = await measure({ name: 'case', unit: 'things', sides: [side('a', turns, 1), peer] }, effort);
    expect(result.sides.map(({ name }) => name)).toEqual(['a']);
    expect(turns).toEqual(['a', 'a', 'a', 'a', 'a closed']);
    expect(table(result)).toContain('peer: failed in round 2: SQLITE_BUSY');
  });

  test('ours that fails ends the measurement', async () => {
    const ours: Side = {
      name: 'ours',
      open: async () => ({ round: () => Promise.reject(new Error('lost')), close: async () => undefined }),
    };
    await expect(measure({ name: 'case', unit: 'things', sides: [ours] }, effort)).rejects.toThrow('lost');
  });

  test('a side that cannot be opened ends the measurement, and the others are closed', async () => {
    const turns: string[] = [];
    const broken: Side = { name: 'broken', open: () => Promise.reject(new Error('no disk')) };
    await expect(
      measure({ name: 'case', unit: 'things', sides: [side('a', turns, 1), broken] }, effort),
    ).rejects.toThrow('no disk');
    expect(turns).toEqual(['a closed']);
  });
});

describe('a quantile', () => {
  test('is the value below which that share of the values lies', () => {
    expect([0, 0.5, 0.99, 1].map((share) => quantile([5, 1, 4, 2, 3], share))).toEqual([1, 3, 5, 5]);
    expect(quantile([], 0.5)).toBeNaN();
  });
});
