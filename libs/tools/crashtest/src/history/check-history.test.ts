import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Commit } from '@lyceum/eventlog';
import { checkHistory } from './check-history.ts';
import type { History } from './history.ts';
import { PeacefulRun, peacefulSeed } from './peaceful-run.ts';

type Lanes = readonly (readonly Commit[])[];

const folder = await mkdtemp(join(tmpdir(), 'lyceum-checker-'));
afterAll(() => rm(folder, { recursive: true }));
let sound: History;
beforeAll(async () => {
  const run = await PeacefulRun.on(join(folder, 'run'));
  await run.calls(8);
  sound = (await run.end()).history;
});

/** Lane 0 after a change of its commits. */
const lane0 = (lanes: Lanes, change: (commits: Commit[]) => Commit[]): Lanes => [
  change([...lanes[0]!]),
  ...lanes.slice(1),
];

/** A change of the commit in the middle of the lane. */
const middle = (lanes: Lanes, change: (commit: Commit) => Partial<Commit>): Lanes =>
  lane0(lanes, (commits) => {
    const at = commits.length >> 1;
    return commits.with(at, { ...commits[at]!, ...change(commits[at]!) });
  });

const without = <T>(all: readonly T[], at: number): T[] => all.filter((_, index) => index !== at);

describe('the checker', () => {
  test('finds nothing wrong with a sound history', () => {
    expect(sound.owner.flat().length).toBeGreaterThan(40);
    expect(checkHistory(sound, peacefulSeed, true)).toEqual([]);
  });

  test.each<[string, (history: History) => Partial<History>]>([
    ['a lost commit', ({ owner }) => ({ owner: lane0(owner, (all) => without(all, 3)) })],
    ['a lost last commit', ({ owner }) => ({ owner: lane0(owner, (all) => all.slice(0, -1)) })],
    ['a doubled commit', ({ owner }) => ({ owner: lane0(owner, (all) => [...all.slice(0, 4), ...all.slice(3)]) })],
    [
      'two commits in the wrong order',
      ({ owner }) => ({ owner: lane0(owner, (all) => [all[1]!, all[0]!, ...all.slice(2)]) }),
    ],
    ['a broken chain', ({ owner }) => ({ owner: middle(owner, () => ({ prev: 'other' })) })],
    ['an id that nobody asked for', ({ owner }) => ({ owner: middle(owner, () => ({ commitId: 'other' })) })],
    [
      'another amount than asked',
      ({ owner }) => ({
        owner: middle(owner, ({ events }) => ({ events: [{ ...events[0]!, data: { request: 'x', amount: 1 } }] })),
      }),
    ],
    [
      'a version that is skipped',
      ({ owner }) => ({ owner: middle(owner, ({ streams }) => ({ streams: [{ ...streams[0]!, before: 99 }] })) }),
    ],
    [
      'an answer that tells another position',
      ({ acknowledged: [first, ...rest] }) => ({
        acknowledged: [{ ...first!, position: first!.position + 1 }, ...rest],
      }),
    ],
    ['an answer given twice', ({ acknowledged }) => ({ acknowledged: [...acknowledged, acknowledged[0]!] })],
    [
      'a document that is not the fold',
      ({ accounts }) => ({
        accounts: {
          ...accounts,
          documents: new Map([...accounts.documents].map(([key, body]) => [key, { ...body, count: 1 }])),
        },
      }),
    ],
    [
      'a document that is missing',
      ({ diary }) => ({ diary: { ...diary, documents: new Map([...diary.documents].slice(1)) } }),
    ],
    ['a reader that is behind', ({ diary }) => ({ diary: { ...diary, places: [0, 0] } })],
    ['a reader that is past the end', ({ outbox }) => ({ outbox: outbox.map((place) => place + 1) })],
    ['a missing effect', ({ receipts }) => ({ receipts: lane0(receipts, (all) => all.slice(0, -1)) })],
    [
      'an effect in the wrong order',
      ({ receipts }) => ({ receipts: lane0(receipts, (all) => [all[1]!, all[0]!, ...all.slice(2)]) }),
    ],
  ])('finds %s', (_, change) => {
    expect(checkHistory({ ...sound, ...change(sound) }, peacefulSeed, true)).not.toEqual([]);
  });
});
