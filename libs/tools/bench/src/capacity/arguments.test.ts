import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unusable, askedBy, flags } from './arguments.ts';
import { assumptions, listPrices } from './assumptions.ts';
import { planOf } from './plan.ts';
import { report } from './report.ts';
import { knownCosts } from './unit-costs.ts';

const folder = mkdtempSync(join(tmpdir(), 'lyceum-capacity-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (content: string): string => {
  const path = join(folder, 'numbers.json');
  writeFileSync(path, content);
  return path;
};
const size = ['--schools', '100', '--learners', '5000'];

describe('the command line of npm run capacity', () => {
  test('takes how many schools and learners there are, and all else as assumed', () => {
    const asked = askedBy(size);
    expect(asked).toMatchObject({ costs: knownCosts, prices: listPrices, isJson: false, changed: new Set() });
    expect(asked.given).toMatchObject({ schools: 100, learners: 5_000, active: assumptions.active.value });
  });

  test('has a flag for each assumption, which changes it and nothing else', () => {
    expect(flags.size).toBe(Object.keys(assumptions).length);
    for (const [flag, name] of flags) {
      const { least, most } = assumptions[name];
      const value = Math.min(most, least + 0.5);
      const { given, changed } = askedBy([...size, `--${flag}`, String(value)]);
      expect(given).toEqual({ ...askedBy(size).given, [name]: value });
      expect(changed).toEqual(new Set([name]));
    }
  });

  test('takes costs and prices from files, over those of the tables', () => {
    const costs = askedBy([...size, '--costs', file('{"gateway": 60}')]);
    expect([costs.costs, costs.changed]).toEqual([{ ...knownCosts, gateway: 60 }, new Set(['gateway'])]);
    expect(askedBy([...size, '--prices', file('{"core": 9}')]).prices).toEqual({ ...listPrices, core: 9 });
  });

  test.each([
    [[], '--schools is missing'],
    [['--schools', '100'], '--learners is missing'],
    [['--schools', '0', '--learners', '1'], '--schools is 0: a number from 1'],
    [['--schools', '1.5', '--learners', '1'], 'a whole number'],
    [['--schools', 'many', '--learners', '1'], '--schools is many'],
    [['--schools', '1e99', '--learners', '1'], '--schools is 1e99'],
    [['--schools', '-5', '--learners', '1'], '--schools'],
    [[...size, '--active', '1.1'], '--active is 1.1: a number from 0 to 1'],
    [[...size, '--active', '0x1'], '--active is 0x1'],
    [[...size, '--core-share', '0'], '--core-share is 0: a number from 0.05 to 1'],
    [[...size, '--session-minutes', '0'], '--session-minutes is 0: a number from 1'],
    [[...size, '--activ', '0.1'], "Unknown option '--activ'"],
    [[...size, 'more'], "Unexpected argument 'more'"],
    [[...size, '--prices', '/does/not/exist.json'], '/does/not/exist.json cannot be read'],
  ])('refuses %j: %s', (args, reason) => {
    expect(() => askedBy(args)).toThrow(Unusable);
    expect(() => askedBy(args)).toThrow(reason);
  });

  test.each([
    ['{', 'cannot be read'],
    ['[]', 'is no object of numbers by name'],
    ['null', 'is no object of numbers by name'],
    ['{"cores": 1}', 'has cores, which is none of core, memoryGb'],
    ['{"core": "9"}', 'core of'],
    ['{"core": -9}', 'a number from 0'],
    ['{"__proto__": {"core": 1}, "toString": 1}', 'which is none of'],
  ])('refuses prices that are %s: %s', (content, reason) =>
    expect(() => askedBy([...size, '--prices', file(content)])).toThrow(reason),
  );
});

describe('the report', () => {
  const text = (...args: string[]): string => {
    const asked = askedBy([...size, ...args]);
    return report(asked, planOf(asked));
  };

  test('names each assumption with its flag, and each cost with where it is from', () => {
    for (const [flag] of flags) expect(text()).toContain(`--${flag}\n`);
    expect(text()).toMatch(/an operation of Redis +redisOperation +\d+ +µs +assumed/);
    expect(text()).toMatch(/a course read .* measured \d{4}-\d\d-\d\d: npm run bench -- api/);
  });

  test('says what was asked to be otherwise', () => {
    expect(text('--active', '0.2')).toMatch(/learners who come on a day +0\.2 +of 1 +--active \(as asked\)/);
    expect(text('--costs', file('{"gateway": 60}'))).toMatch(/counted +gateway +60 +µs +as asked/);
  });

  test('needs more where more people come', () => {
    const total = (active: string): number => planOf(askedBy([...size, '--active', active])).money.total;
    expect(total('1')).toBeGreaterThan(total('0.1'));
  });
});
