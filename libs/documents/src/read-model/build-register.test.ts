import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '@lyceum/testkit';
import { BuildRegister, keeping } from './build-register.ts';
import { memoryDocuments } from '../memory/memory.ts';
import { Pointers } from './pointers.ts';
import type { Collection, Documents } from '../port.ts';

const collection = { name: 'sums', version: 1, fields: {} } as const;
const ahead = 3 * 60_000;

/** Two processes that share the documents; the clock of the second is three minutes ahead. */
async function twoProcesses() {
  const documents: Documents = memoryDocuments();
  Object.defineProperty(documents, 'exclusive', { value: false });
  const pointers = await Pointers.open(documents);
  const clocks = [new FakeClock(), new FakeClock()] as const;
  clocks[1].advance(ahead);
  const register = (owner: string, of: Collection = collection, clock = clocks[0]) =>
    new BuildRegister({ documents, pointers, collection: of, owner, clock, keep: keeping });
  const pass = (seconds: number) => clocks.forEach((clock) => clock.advance(seconds * 1_000));
  const [slow, fast] = [register('slow'), register('fast', collection, clocks[1])];
  return { slow, fast, pass, pointers, register };
}

describe('E-B1: the right to build, among machines whose clocks differ by minutes', () => {
  test('stays with a builder that gives signs of life', async () => {
    const { slow, fast, pass } = await twoProcesses();
    const build = await slow.claim();
    for (let beats = 0; beats < 10; beats += 1) {
      expect(await fast.claim()).toBeUndefined();
      pass(5);
      expect(await slow.beat(build!.build)).toBe(true);
    }
    expect(await slow.publish(build!.build)).toBe(true);
  });

  test.each(['slow', 'fast'] as const)('is given to another when the %s builder is silent', async (name) => {
    const all = await twoProcesses();
    const other = name === 'slow' ? all.fast : all.slow;
    const build = await all[name].claim();
    expect(await other.claim()).toBeUndefined();
    all.pass(16);
    const taken = await other.claim();
    expect(taken).toEqual({ ...build, goesOn: true });
    expect(await all[name].beat(build!.build)).toBe(false);
    expect(await all[name].publish(build!.build)).toBe(false);
    expect(await other.publish(taken!.build)).toBe(true);
  });

  test('what was begun is not gone on with when it shall be anew, by a release before, or for other fields', async () => {
    const { slow, pointers, register } = await twoProcesses();
    await slow.claim();
    expect(await slow.claim({ anew: true })).toMatchObject({ build: { build: 2 }, goesOn: false });
    await slow.beat({ version: 1, build: 2, fields: {}, life: 'first' });
    expect(await slow.claim()).toEqual({ build: { version: 1, build: 2, fields: {}, life: 'first' }, goesOn: true });
    const other = register('slow', { ...collection, fields: { total: 'number' } });
    expect(await other.claim()).toMatchObject({ build: { build: 3 }, goesOn: false });
    // As a release before leaves it.
    await pointers.change('sums', (before) => {
      const { undoes: _, ...building } = before.building!;
      return { ...before, building };
    });
    expect(await other.claim()).toMatchObject({ build: { build: 4 }, goesOn: false });
    expect((await other.read()).kept.map(({ build, complete }) => [build, complete])).toEqual([
      [1, false],
      [2, false],
      [3, false],
    ]);
  });

  test('a build that was live a moment ago stays for its readers', async () => {
    const { slow, fast, pass } = await twoProcesses();
    for (let builds = 0; builds < 2; builds += 1) await slow.publish((await slow.claim())!.build);
    const left: number[] = [];
    const sweep = () => fast.sweep(async (build) => void left.push(build));
    for (let looks = 0; looks < 6; looks += 1, pass(10)) await sweep();
    expect(left).toEqual([]);
    await sweep();
    expect(left).toEqual([1]);
  });
});
