// npm run fuzz:openapi: Schemathesis, a property-based fuzzer, over the OpenAPI document of a running system
// (`BASE_URL`, default http://127.0.0.1:8080; `TOKEN`: an access token to send). Fails on an answer of 5xx, on a status
// or a media type that the document does not name, and on a body that does not fit its schema. Installs the fuzzer once,
// into a virtual environment under node_modules/.cache; says why and ends well where Python 3.10 is missing.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const version = '4.32.5';
const folder = join('node_modules', '.cache', `schemathesis-${version}`);
const fuzzer = join(folder, 'bin', 'schemathesis');
const run = (program, ...args) => spawnSync(program, args, { stdio: 'inherit' }).status === 0;

function skip(why) {
  console.log(`not fuzzed: ${why}`);
  process.exit(0);
}

const isNewEnough = 'import sys; sys.exit(sys.version_info < (3, 10))';
if (!run('python3', '-c', isNewEnough)) skip('Python 3.10 or newer is needed');
if (!existsSync(fuzzer)) {
  const installed =
    run('python3', '-m', 'venv', folder) &&
    run(join(folder, 'bin', 'pip'), 'install', '--quiet', `schemathesis==${version}`);
  if (!installed) skip('Schemathesis cannot be installed here');
}

// A stream does not end by itself.
const leftOut = ['^/api/changes$'];
// The fuzzer finds the ids of its own client and session, and would go on without a token that counts.
const endsToken = ['^/api/account/(clients|sessions)/'];

const { BASE_URL = 'http://127.0.0.1:8080', TOKEN } = process.env;
const checks = 'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance';
const passed = run(
  fuzzer,
  'run',
  `${BASE_URL}/openapi.json`,
  `--checks=${checks}`,
  '--phases=examples,fuzzing',
  `--max-examples=${process.env['FUZZ_RUNS'] ?? 5}`,
  `--exclude-path-regex=${[...leftOut, ...(TOKEN ? endsToken : [])].join('|')}`,
  ...(TOKEN ? ['-H', `Authorization: Bearer ${TOKEN}`] : []),
);
process.exitCode = passed ? 0 : 1;
