import { expect, test } from '@jest/globals';
import { holdElections } from './elections.ts';

const elections = Number(process.env['ELECTIONS'] ?? 5);

test(
  'C11: while elections hide acknowledged commits and changes, readers never see a gap or go back, and every follower reaches the end by itself',
  async () => {
    const { faults, ...counts } = await holdElections({ elections, patience: 20_000 });
    expect(faults).toEqual([]);
    // Clients worked, and met the elections.
    expect(counts.acknowledged).toBeGreaterThan(elections * 10);
    expect(counts.refused).toBeGreaterThan(elections);
    expect(counts.late).toBeGreaterThan(elections);
    expect(counts.reads - counts.late).toBeGreaterThan(elections * 2);
    expect(counts.erased).toBeGreaterThan(0);
  },
  60_000 + elections * 2_000,
);
