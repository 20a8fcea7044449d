// npm run check: everything that must hold before tests are worth running. All checks run; any failure fails.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { clauseProblems } from './clauses.mjs';
import { lockProblems } from './lock.mjs';

const quiet = { ...process.env, DO_NOT_TRACK: '1', TURBO_TELEMETRY_DISABLED: '1', NO_UPDATE_NOTIFIER: '1' };
const program =
  (file, ...args) =>
  () => {
    const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', env: quiet });
    return status === 0 ? [] : [`${stdout}${stderr}`.trim()];
  };
const command = (name, ...args) => program(join('node_modules', '.bin', name), ...args);

const checks = {
  'types of the sources (tsc -b)': command('tsc', '-b'),
  'types of the tests': command('tsc', '-p', 'tsconfig.tests.json'),
  'lint and import rules (oxlint)': command('oxlint', '--deny-warnings'),
  'package boundaries (turbo)': command('turbo', 'boundaries'),
  'unused files, exports and dependencies (knip)': command('knip', '--no-progress'),
  'format (prettier)': command('prettier', '--check', '--log-level', 'warn', '.'),
  'clauses and their tests': clauseProblems,
  // After tsc: it starts what that built.
  'types of the client (npm run client)': program(
    process.execPath,
    join('libs', 'devtools', 'src', 'client.mjs'),
    '--check',
  ),
  'lock file': () => lockProblems(),
};

let failed = 0;
for (const [title, run] of Object.entries(checks)) {
  const began = performance.now();
  const problems = await run();
  const took = `${((performance.now() - began) / 1000).toFixed(1)} s`;
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${title} (${took})`);
  for (const problem of problems) console.log(problem.replaceAll(/^/gm, '     '));
  failed += problems.length === 0 ? 0 : 1;
}
console.log(failed === 0 ? 'all checks hold' : `${failed} of ${Object.keys(checks).length} checks fail`);
process.exitCode = failed === 0 ? 0 : 1;
