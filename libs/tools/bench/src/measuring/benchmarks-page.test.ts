import { expect, test } from '@jest/globals';
import { benchmarksPage } from './benchmarks-page.ts';
import type { Run } from './run.ts';

const steady = (median: number) => ({ min: median, median, max: median });

const run: Run = {
  at: '2026-01-05T08:00:00.000Z',
  node: '22.0.0',
  v8: '12',
  command: 'npm run bench -- peers --report',
  machine: {
    processors: 2,
    gigabytes: 24,
    load: 0.3,
    platform: 'linux x64',
    versions: { 'Node.js': '22.0.0', Java: '17.0.1' },
  },
  effort: { rounds: 7, milliseconds: 400 },
  results: ['refresh', 'userinfo'].map((name) => ({
    name: `peers, ${name}`,
    unit: 'answers',
    rounds: 7,
    goals: {},
    sides: [
      {
        name: 'ours',
        about: 'On disk.',
        rate: steady(1_500),
        cpu: { min: 400, median: 500, max: 800 },
        megabytes: 200,
      },
      {
        name: 'theirs',
        about: 'In memory.',
        rate: steady(700),
        cpu: steady(1_000),
        p50: steady(2.5),
        p99: steady(9),
        megabytes: 90,
        ratio: { wall: steady(2.1), cpu: { min: 1.9, median: 2, max: 2.2 } },
      },
    ],
    missing: [{ name: 'absent', why: 'not measured: it is not installed\nand more' }],
  })),
};

test('the page tells medians with their extremes, per second of processor time, and how much more ours does', () => {
  const lines = benchmarksPage(run).split('\n');
  const row = (name: string) => lines.find((line) => line.startsWith(`| ${name}`))?.replaceAll(/ +/g, ' ');
  expect(row('ours')).toBe('| ours | 2,000 (1,250–2,500) | | 1,500 | | | 200 |');
  expect(row('theirs')).toBe('| theirs | 1,000 (1,000–1,000) | 2.00 (1.90–2.20) | 700 | 2.50 | 9.00 | 90.0 |');
});

test('the page tells the command, the machine, the versions, what is missing, and each side once', () => {
  const page = benchmarksPage(run);
  expect(page).toContain('\nnpm run bench -- peers --report\n');
  expect(page).toContain(
    'Measured on 2026-01-05: 2 processors, 24 GB, linux x64; Node.js 22.0.0, Java 17.0.1. Load before: 0.3.',
  );
  expect(page).toContain('\nabsent: not measured: it is not installed\n');
  expect(page.match(/\*\*theirs\*\*: In memory\./g)).toHaveLength(1);
});
