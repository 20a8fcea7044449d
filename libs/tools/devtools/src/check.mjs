// npm run check: everything that must hold before tests are worth running. All checks run; any failure fails.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { clauseProblems } from './clauses.mjs';
import { packageProblems } from './client-package.mjs';
import { contractProblems } from './event-contract.mjs';
import { lockProblems } from './lock.mjs';
import { licenceProblems } from './supply-chain/licences.mjs';
import { workflowProblems } from './workflows.mjs';

const quiet = { ...process.env, DO_NOT_TRACK: '1', TURBO_TELEMETRY_DISABLED: '1', NO_UPDATE_NOTIFIER: '1' };
const program =
  (file, ...args) =>
  () =>
    new Promise((resolve) => {
      const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env: quiet });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (part) => void (output += part));
      child.once('error', (error) => resolve([error.message]));
      child.once('close', (code) => resolve(code === 0 ? [] : [output.trim()]));
    });
const command = (name, ...args) => program(join('node_modules', '.bin', name), ...args);

// Two go side by side: the longest one, which has a single thread, and all others in turn.
const beside = {
  'format (prettier)': command('prettier', '--check', '--log-level', 'warn', '.'),
};
const inTurn = {
  'types of the sources (tsc -b)': command('tsc', '-b'),
  'types of the tests': command('tsc', '-p', 'tsconfig.tests.json'),
  'lint and import rules (oxlint)': command('oxlint', '--deny-warnings'),
  'package boundaries (turbo)': command('turbo', 'boundaries'),
  'unused files, exports and dependencies (knip)': command('knip', '--no-progress'),
  'clauses and their tests': clauseProblems,
  'integration events, for readers of the last release': contractProblems,
  // After tsc: it starts what that built.
  'the description of the API by a linter, and the types of the client (npm run client)': program(
    process.execPath,
    join('libs', 'tools', 'devtools', 'src', 'client.mjs'),
    '--check',
  ),
  'the client as it would be published (npm pack)': () => packageProblems(),
  'lock file': () => lockProblems(),
  'workflows of services and owners of code (npm run workflows)': () => workflowProblems(),
  'licences of what is shipped (npm run licences)': () => licenceProblems(),
};

/** Tells how a check went; resolves to whether it failed. */
async function fails(title, run) {
  const began = performance.now();
  const problems = await run();
  const took = `${((performance.now() - began) / 1000).toFixed(1)} s`;
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${title} (${took})`);
  for (const problem of problems) console.log(problem.replaceAll(/^/gm, '     '));
  return problems.length > 0;
}

/** The titles of the checks that failed. */
async function failedOf(checks) {
  const failed = [];
  for (const [title, run] of Object.entries(checks)) if (await fails(title, run)) failed.push(title);
  return failed;
}

const failed = (await Promise.all([beside, inTurn].map(failedOf))).flat();
for (const title of failed) console.log(`failed: ${title}`);
console.log(failed.length === 0 ? 'all checks hold' : `${failed.length} checks fail`);
process.exitCode = failed.length === 0 ? 0 : 1;
