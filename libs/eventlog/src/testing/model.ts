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

/** The log as a few lines: what an append must do, one at a time. */
class Model {
  readonly versions = new Map<string, number>();
  readonly ids = new Map<string, string>();
  readonly stored: string[] = [];

  append(tenant: string, { stream: main, also, expected, commitId, fingerprint }: Step): string {
    const known = this.ids.get(`${tenant} ${commitId}`);
    const actual = this.versions.get(`${tenant} ${main}`) ?? 0;
    if (known !== undefined) return known === fingerprint ? 'replayed' : 'mismatch';
    if (expected !== null && expected !== actual) return `conflict ${actual}`;
    this.ids.set(`${tenant} ${commitId}`, fingerprint);
    this.stored.push(`${tenant} ${commitId}`);
    for (const name of also === null ? [main] : [main, also])
      this.versions.set(`${tenant} ${name}`, (this.versions.get(`${tenant} ${name}`) ?? 0) + 1);
    return 'written';
  }
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
        const expected = steps.map((each) => model.append(tenants[each.tenant]!, each));
        expect(await Promise.all(steps.map((each) => outcome(log, tenants[each.tenant]!, each)))).toEqual(expected);
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
    await fc.assert(property, { numRuns: 40, interruptAfterTimeLimit: 5_000 });
  }, 60_000);
}
