// npm run client: writes the types of libs/client from the /openapi.json of a system that it starts for a moment;
// npm run client -- --check tells whether they are what it would write, and what a linter finds in the document.
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openapiProblems } from './openapi-lint.mjs';

const { status } = spawnSync(join('node_modules', '.bin', 'tsc'), ['-b', 'libs/tools/testkit'], { stdio: 'inherit' });
const generated = ['-b', 'libs/client', '--noCheck'];
if (status !== 0 || spawnSync(join('node_modules', '.bin', 'tsc'), generated).error) process.exit(1);
const { startSystem } = await import('@lyceum/testkit');
const { apiTypes } = await import('@lyceum/client/generate');

const file = 'libs/client/src/api.ts';
const system = await startSystem();
try {
  const document = await (await fetch(`${system.baseUrl}/openapi.json`)).json();
  const format = [join('node_modules', '.bin', 'prettier'), ['--stdin-filepath', file]];
  const { stdout: made } = spawnSync(...format, { input: apiTypes(document), encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (!process.argv.includes('--check')) await writeFile(file, made);
  else if ((await readFile(file, 'utf8')) !== made) {
    console.error('The types of the client are stale: run npm run client');
    process.exitCode = 1;
  }
  const problems = await openapiProblems(document);
  for (const problem of problems) console.error(`/openapi.json: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  await system.stop();
}
