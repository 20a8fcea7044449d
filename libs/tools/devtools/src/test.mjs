// npm test [jest arguments]: builds (system tests start the real process from dist), runs every suite that the machine
// can serve, prints what was skipped and why, and closes with the suites that took longest, each failure once more and
// "N passed, N failed, N skipped". TEST_LENGTH=long: also what takes hours (testkit/long-run.ts), `*.long.test.ts`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { failuresOf } from './failures.mjs';
import { fastFolder } from './fast-folder.mjs';
import { slowest } from './slowest.mjs';

const bin = (name) => join('node_modules', '.bin', name);
const run = (command, args, env = {}) =>
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;

if (run(bin('tsc'), ['-b']) !== 0) {
  console.log('failed: the build (tsc -b)');
  console.log('0 passed, 1 failed, 0 skipped');
  process.exit(1);
}

// Three runs: the processes that system tests start and share would slow all other suites, and those that many suites
// share would slow the suites that start their own. Long ones follow one at a time: each starts a dozen services.
const isSystemTest = (path) =>
  /\.system\.test\.ts$|\/system\/(?:[^/]+\/)*(?!durability|process)[^/]*\.test\.ts$/.test(path);
const isLong = (path) => path.endsWith('.long.test.ts');
const suites = ['libs', 'services']
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((path) => join(folder, path)))
  .filter((path) => path.endsWith('.test.ts') && !/node_modules|\/dist\//.test(path));
const long = process.env['TEST_LENGTH'] === 'long' ? suites.filter(isLong) : [];
const systemTests = suites.filter((path) => isSystemTest(path) && !isLong(path));
const sharing = systemTests.filter((path) =>
  /describe(Topologies|TopologiesIfLong|WithHistory)\(/.test(readFileSync(path, 'utf8')),
);
const owning = systemTests.filter((path) => !sharing.includes(path));
const asked = process.argv.slice(2);
const passes =
  asked.length > 0
    ? [asked]
    : [
        ['--testPathIgnorePatterns', '/node_modules/', '\\.long\\.test\\.ts$', ...systemTests],
        ['--runTestsByPath', ...sharing],
        ['--runTestsByPath', ...owning],
        ...(long.length > 0 ? [['--maxWorkers=1', '--runTestsByPath', ...long]] : []),
      ];

const temporary = fastFolder();

// Jest and its workers: most of a test runs once, so functions are optimized when they have run seven times as long as
// usual, and there is more room for what dies young. Both together spare a fifth of the processor time.
// V8 counts calls since Node.js 22, and refuses what it does not know.
const late =
  Number.parseInt(process.versions.v8) < 12
    ? ['--interrupt-budget=1000000']
    : ['--invocation-count-for-maglev=2800', '--invocation-count-for-turbofan=21000'];
const nodeOptions = [...late, '--max-semi-space-size=32'];
const jest = [...nodeOptions, join('node_modules', 'jest', 'bin', 'jest.js'), '--json', '--testLocationInResults'];

/** One run of jest: what it counted, and whether anything failed. */
function pass(args) {
  const folder = mkdtempSync(join(temporary, 'lyceum-test-'));
  const report = join(folder, 'report.json');
  const status = run(process.execPath, [...jest, `--outputFile=${report}`, ...args], {
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --experimental-vm-modules --no-warnings`.trim(),
    TMPDIR: temporary,
    TEST_BUILT: '1',
  });
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    const tests = result.testResults.flatMap((file) => file.assertionResults);
    const skipped = tests.filter((test) => test.status === 'pending' || test.status === 'todo');
    for (const test of skipped) console.log(`skipped: ${test.fullName}`);
    const broken = result.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
    const failed = result.numFailedTests + broken.length;
    const passed = result.numPassedTests;
    const failures = failuresOf(result);
    if (failures.length === 0 && status !== 0) failures.push(`failed: jest ended with ${status}`);
    if (passed === 0) failures.push(`failed: no test passed in jest ${args.slice(0, 2).join(' ')}`);
    const least = status !== 0 || passed === 0 ? 1 : 0;
    return { passed, failed: Math.max(least, failed), skipped: skipped.length, failures, suites: result.testResults };
  } catch (error) {
    return {
      passed: 0,
      failed: 1,
      skipped: 0,
      failures: [`failed: no report from jest: ${error.message}`],
      suites: [],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const results = passes.map(pass);
for (const line of slowest(results.flatMap(({ suites }) => suites))) console.log(line);
for (const line of results.flatMap(({ failures }) => failures)) console.log(line);
const sum = (of) => results.reduce((total, result) => total + result[of], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = sum('failed') > 0 ? 1 : 0;
