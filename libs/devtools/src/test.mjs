// npm test [jest arguments]: builds (system tests start the real process from dist), runs every suite that the machine
// can serve, prints what was skipped and why, and closes with "N passed, N failed, N skipped".
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const bin = (name) => join('node_modules', '.bin', name);
const run = (name, args, env = {}) =>
  spawnSync(bin(name), args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;

if (run('tsc', ['-b']) !== 0) {
  console.log('0 passed, 1 failed, 0 skipped');
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'lyceum-test-'));
const report = join(folder, 'report.json');
const status = run('jest', ['--json', `--outputFile=${report}`, '--testLocationInResults', ...process.argv.slice(2)], {
  NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --experimental-vm-modules --no-warnings`.trim(),
});

let counts = { passed: 0, failed: 1, skipped: 0 };
try {
  const result = JSON.parse(readFileSync(report, 'utf8'));
  const tests = result.testResults.flatMap((file) => file.assertionResults);
  const skipped = tests.filter((test) => test.status === 'pending' || test.status === 'todo');
  for (const test of skipped) console.log(`skipped: ${test.fullName}`);
  const brokenFiles = result.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  counts = {
    passed: result.numPassedTests,
    failed: result.numFailedTests + brokenFiles.length,
    skipped: skipped.length,
  };
} catch (error) {
  console.log(`no report from jest: ${error.message}`);
}
rmSync(folder, { recursive: true, force: true });

const failed = status !== 0 || counts.failed > 0 || counts.passed === 0;
console.log(`${counts.passed} passed, ${failed ? Math.max(1, counts.failed) : 0} failed, ${counts.skipped} skipped`);
process.exitCode = failed ? 1 : 0;
