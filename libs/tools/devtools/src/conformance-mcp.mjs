// npm run conformance:mcp: the official MCP conformance suite against this system, in its modes `authorization` and
// `server`; with the argument `authorization` in that one only, where all tests run anyway. Installs the suite once
// (libs/tools/devtools/conformance, outside of the workspaces), starts the system on free ports, signs in by script where the
// suite asks for a person, and fails unless every check passes. The client is public: where a server allows that, the
// suite never sends a secret. The suite needs Node 22; where this is an older one, the Node that npm has for Linux is
// taken.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../conformance');
const suite = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const scenarios = ['authorization-server-metadata-endpoint', 'authorization-code-grant'];
const patience = 120_000;

/** The program that runs the suite, or undefined. */
function newerNode() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const packaged = join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  return existsSync(packaged) ? packaged : undefined;
}

function prepare() {
  if (!existsSync(suite)) {
    console.log('installing the suite');
    const { status } = spawnSync('npm', ['ci'], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
    if (status !== 0) throw new Error('the suite could not be installed');
  }
  const node = newerNode();
  if (!node) throw new Error('the suite needs Node 22 or newer: run this script with it');
  if (spawnSync(join('node_modules', '.bin', 'tsc'), ['-b'], { stdio: 'inherit' }).status !== 0)
    throw new Error('the build failed');
  return node;
}

/** The id of a client that waits for its code at this port. */
async function register({ call }, baseUrl, port) {
  const { status, body } = await call(`${baseUrl}/api/oauth/register`, {
    json: {
      client_name: 'MCP conformance',
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
      token_endpoint_auth_method: 'none',
    },
  });
  if (status !== 201) throw new Error(`the registration answered ${status}: ${JSON.stringify(body)}`);
  return body.client_id;
}

/** Opens the address that the suite prints, as the person would, and lets the redirect arrive at the suite. */
async function signIn({ Person, approve }, url, password) {
  const { left, status, text } = await approve(new Person(), new URL(url), 'owner@lantern.test', password);
  if (!left) throw new Error(`nobody was sent back (${status}): ${text.slice(0, 500)}`);
  await fetch(left);
}

/** Runs the suite to its end; its exit code and everything that it said. */
function run(node, args, onAddress) {
  const child = spawn(node, [suite, 'authorization', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, asked] = ['', false];
  const late = setTimeout(() => child.kill(), patience);
  const hear = (chunk) => {
    output += chunk;
    const [address] = /^http\S+\/oauth\/authorize\?\S+(?=\s)/m.exec(output) ?? [];
    if (asked || address === undefined) return;
    asked = true;
    onAddress(address).catch((error) => {
      output += `\n${error.stack}`;
      child.kill();
    });
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  return new Promise((resolve) =>
    child.on('close', (code) => {
      clearTimeout(late);
      resolve({ code, output });
    }),
  );
}

/** The checks that a run has written down, by scenario. */
function checksIn(results) {
  const files = readdirSync(results, { recursive: true }).filter((file) => file.endsWith('checks.json'));
  return scenarios.flatMap((scenario) => {
    const checks = files
      .filter((file) => file.includes(scenario))
      .flatMap((file) => JSON.parse(readFileSync(join(results, file), 'utf8')));
    return checks.length > 0 ? checks : [{ id: scenario, status: 'MISSING', errorMessage: 'it was not run' }];
  });
}

/** Whether every check of every scenario passed. */
async function judge(kit, node, system) {
  const results = mkdtempSync(join(tmpdir(), 'lyceum-conformance-'));
  try {
    const port = await kit.freePort();
    const client = await register(kit, system.baseUrl, port);
    const place = ['--url', system.baseUrl, '--resource', system.baseUrl, '--port', String(port), '-o', results];
    const { code, output } = await run(node, [...place, '--client-id', client], (address) =>
      signIn(kit, address, system.password),
    );
    const checks = checksIn(results);
    for (const { id, status, errorMessage } of checks)
      console.log(`${id}: ${status}${errorMessage ? ` (${errorMessage})` : ''}`);
    const failed = checks.filter(({ status }) => status !== 'SUCCESS').length;
    if (failed > 0 || code !== 0) console.log(output);
    console.log(`MCP authorization conformance: ${checks.length - failed} passed, ${failed} failed`);
    return failed === 0 && code === 0;
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

const node = prepare();
const kit = await import('@lyceum/testkit');
const system = await kit.startSystem();
let passes = false;
try {
  passes = await judge(kit, node, system);
} finally {
  await system.stop();
}
// Mode `server` needs the registry of the suite behind our dispatcher, which only tests have.
const script = [join(import.meta.dirname, 'test.mjs'), 'services/gateway/src/mcp/server/mcp-conformance'];
const serves = () => spawnSync(process.execPath, script, { stdio: 'inherit' }).status === 0;
process.exitCode = passes && (process.argv[2] === 'authorization' || serves()) ? 0 : 1;
