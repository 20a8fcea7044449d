import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ConcurrencyConflict, IdempotencyMismatch } from '../errors.ts';
import type { EventLog } from '../port.ts';
import { type OpenLog, noted, sampleAppend, tenantsApart, tenantsTogether } from './sample.ts';

interface Step {
  readonly tenant: number;
  readonly stream: string;
  readonly also: string | null;
  readonly expected: number | null;
  readonly commitId: string;
  readonly fingerprint: string;
}

/** One group is appended at once; then, perhaps, the log is opened again. */
interface Round {
  readonly steps: readonly Step[];
  readonly reopen: boolean;
}

const stream = fc.constantFrom('a', 'b', 'c');
const step: fc.Arbitrary<Step> = fc.record({
  tenant: fc.nat({ max: 2 }),
  stream,
  also: fc.option(stream),
  expected: fc.option(fc.nat({ max: 4 })),
  commitId: fc.nat({ max: 30 }).map(String),
  fingerprint: fc.constantFrom('f', 'f', 'f', 'g'),
});
const round: fc.Arbitrary<Round> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  reopen: fc.nat({ max: 3 }).map((n) => n === 3),
});

/** The log as a few lines. */
class Model {
  readonly versions = new Map<string, number>();
  readonly ids = new Map<string, string>();
  readonly stored: string[] = [];

  /** What an append must be told now. */
  answer(tenant: string, { stream: main, expected, commitId, fingerprint }: Step): string {
    const known = this.ids.get(`${tenant} ${commitId}`);
    const actual = this.versions.get(`${tenant} ${main}`) ?? 0;
    if (known !== undefined) return known === fingerprint ? 'replayed' : 'mismatch';
    return expected !== null && expected !== actual ? `conflict ${actual}` : 'written';
  }

  store(tenant: string, { stream: main, also, commitId, fingerprint }: Step): void {
    this.ids.set(`${tenant} ${commitId}`, fingerprint);
    this.stored.push(`${tenant} ${commitId}`);
    for (const name of also === null ? [main] : [main, also])
      this.versions.set(`${tenant} ${name}`, (this.versions.get(`${tenant} ${name}`) ?? 0) + 1);
  }
}

/** An append, and what it was told. */
interface Told {
  readonly tenant: string;
  readonly step: Step;
  readonly told: string;
}

/**
 * Appends of one moment come in some order: the log says which of those that were written, and each other one must have been
 * told what is so at one moment among them.
 */
function expectSomeOrder(model: Model, all: readonly Told[], stored: readonly string[]): void {
  const refused = new Set(all.filter(({ told }) => told !== 'written'));
  const settle = () => {
    for (const each of refused) if (model.answer(each.tenant, each.step) === each.told) refused.delete(each);
  };
  const written = new Map(
    all.filter((each) => !refused.has(each)).map((each) => [`${each.tenant} ${each.step.commitId}`, each]),
  );
  expect([...stored].sort()).toEqual([...written.keys()].sort());
  settle();
  for (const { tenant, step } of stored.map((id) => written.get(id)!)) {
    expect([tenant, step, model.answer(tenant, step)]).toEqual([tenant, step, 'written']);
    model.store(tenant, step);
    settle();
  }
  expect([...refused]).toEqual([]);
}

async function outcome(log: EventLog, tenant: string, step: Step): Promise<string> {
  const { stream: main, also, expected, commitId, fingerprint } = step;
  try {
    const { replayed } = await log.append(
      sampleAppend({
        tenant,
        commitId,
        fingerprint,
        expectations: expected === null ? [] : [{ stream: main, version: expected }],
        events: (also === null ? [main] : [main, also]).map((name) => noted(name)),
      }),
    );
    return replayed ? 'replayed' : 'written';
  } catch (error) {
    if (error instanceof IdempotencyMismatch) return 'mismatch';
    if (error instanceof ConcurrencyConflict) return `conflict ${error.actual}`;
    throw error;
  }
}

/**
 * Of the appends after a restart, the first is refused, the second is written, and the third has an id of before, which not
 * every engine remembers: the server finds it, and what has no answer yet is tried again.
 */
const repeatedAfterRestart: Round[] = [
  {
    reopen: true,
    steps: [
      { tenant: 1, stream: 'b', also: null, expected: null, commitId: '1', fingerprint: 'f' },
      { tenant: 1, stream: 'a', also: null, expected: null, commitId: '4', fingerprint: 'f' },
    ],
  },
  {
    reopen: false,
    steps: [
      { tenant: 1, stream: 'b', also: null, expected: 0, commitId: '2', fingerprint: 'f' },
      { tenant: 1, stream: 'b', also: null, expected: null, commitId: '3', fingerprint: 'f' },
      { tenant: 1, stream: 'c', also: null, expected: null, commitId: '1', fingerprint: 'g' },
    ],
  },
];

/** Random histories, concurrent and with restarts, must go as the model says. */
export function testModel(open: OpenLog): void {
  const property = fc.asyncProperty(fc.array(round, { maxLength: 8 }), async (rounds) => {
    const opened = await open();
    try {
      let { log } = opened;
      const model = new Model();
      const tenants = [
        ...tenantsTogether(log, 2),
        tenantsApart(log, 2).find((t) => log.laneOf(t) !== log.laneOf('school_0'))!,
      ];
      for (const { steps, reopen } of rounds) {
        const all = await Promise.all(
          steps.map(async (each): Promise<Told> => {
            const tenant = tenants[each.tenant]!;
            return { tenant, step: each, told: await outcome(log, tenant, each) };
          }),
        );
        for (let lane = 0; lane < log.lanes; lane += 1) {
          const here = all.filter(({ tenant }) => log.laneOf(tenant) === lane);
          const before = model.stored.filter((each) => log.laneOf(each.split(' ')[0]!) === lane).length;
          const stored = (await log.readLane(lane, before, 100)).map(({ tenant, commitId }) => `${tenant} ${commitId}`);
          expectSomeOrder(model, here, stored);
        }
        if (reopen && opened.reopen) log = await opened.reopen();
      }
      for (const tenant of tenants) {
        const { heads } = await log.load(tenant, ['a', 'b', 'c']);
        for (const [name, version] of Object.entries(heads))
          expect(version).toBe(model.versions.get(`${tenant} ${name}`) ?? 0);
      }
      for (let lane = 0; lane < log.lanes; lane += 1) {
        const commits = await log.readLane(lane, 0, 1_000);
        const here = model.stored.filter((each) => log.laneOf(each.split(' ')[0]!) === lane);
        expect(commits.map((commit) => `${commit.tenant} ${commit.commitId}`)).toEqual(here);
      }
    } finally {
      await opened.dispose();
    }
  });

  test('random histories, concurrent and with restarts, go as the model says', async () => {
    // Restarts cost fsyncs: a slow disk gets fewer runs, not a failure.
    await fc.assert(property, { numRuns: 40, interruptAfterTimeLimit: 5_000, examples: [[repeatedAfterRestart]] });
  }, 60_000);
}
