import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loopbackFetch } from '../http/loopback-fetch.ts';
import { startOptions } from './start-options.ts';

/** How a system is started. */
export interface SystemOptions {
  /** Settings beside those that the test kit chooses. */
  readonly env?: Readonly<Record<string, string>>;
  /** A data folder to go on with; a new one in the temporary folder when not given. */
  readonly dataDir?: string;
  /** A port to listen on; a free one when not given. */
  readonly port?: number;
  /** Command line of the process. */
  readonly argv?: readonly string[];
  /** Options of Node.js; those of a process that lives for seconds when not given. What is measured gives its own. */
  readonly nodeArgs?: readonly string[];
  /** The root of a repository that was built: of another release than this one, if given. */
  readonly build?: string;
  /** Another program than the whole system, which takes the same settings. */
  readonly program?: string;
}

/** Where a system is, whatever it is made of. */
export interface Place {
  /** Lantern Craft School. */
  readonly baseUrl: string;
  /** North Quay Music. */
  readonly northQuayUrl: string;
  readonly operatorUrl: string;
  /** The operator listener of commerce, where it is a service of its own. */
  readonly salesOperatorUrl: string;
  readonly operatorToken: string;
  /** Password of the demo accounts. */
  readonly password: string;
  readonly port: number;
  /** The data folder of its processes. */
  readonly dataDir: string;
  /** The environment of its processes, where there are several; for more of them. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The whole system as a real process. */
export interface System extends Place {
  readonly process: ChildProcess;
  /** Everything on standard output and standard error so far. */
  output(): string;
  /** SIGTERM; resolves to the exit code. Removes a data folder that the test kit made. */
  stop(): Promise<number | null>;
  /** SIGKILL; the data folder stays. */
  kill(): Promise<void>;
}

/** A process that ended before it was ready. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** The process ended instead of getting ready. */
export class StartFailed extends Error {
  override readonly name = 'StartFailed';
  readonly ended: Ended;

  constructor(ended: Ended) {
    super(`the system ended with ${ended.code}:\n${ended.output}`);
    this.ended = ended;
  }
}

/** The root of the repository. */
export const root = rootOf(import.meta.dirname);
const scriptOf = (build: string): string => join(build, 'services/all-in-one/dist/main.js');
const made = new Set<string>();
/** Password of the demo accounts, unless a test chooses another. */
export const demoPassword = 'correct horse of this test';

/**
 * Boots the whole system from its build as a process of its own and waits until it is ready. The build is brought up to
 * date once per test process. Throws `StartFailed` when the process ends first.
 */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  await built();
  const { dataDir = await temporary(), port = await freePort(), build = root } = options;
  const operatorPort = await freePort();
  const env = { ...settingsOf(dataDir, port, operatorPort), ...options.env };
  const child = spawn(
    process.execPath,
    [...(options.nodeArgs ?? startOptions), options.program ?? scriptOf(build), ...(options.argv ?? [])],
    {
      env,
      cwd: build,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const { output, exit } = observe(child);
  // The operator port is this process's alone, even when another one holds the public port.
  for (const each of [operatorPort, port]) await ready(`http://127.0.0.1:${each}`, child, exit, output);
  return {
    ...placeOf(dataDir, port, operatorPort),
    password: (await readFile(join(dataDir, 'demo-password'), 'utf8').catch(() => '')).trim(),
    dataDir,
    process: child,
    output,
    async stop() {
      child.kill('SIGTERM');
      const code = await exit;
      if (made.delete(dataDir)) await rm(dataDir, { recursive: true, force: true });
      return code;
    },
    async kill() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

const operatorToken = 'operator-token-of-this-test-only';

/** What the test kit tells a process that is the whole system. */
export const settingsOf = (dataDir: string, port: number, operatorPort: number) => ({
  PORT: String(port),
  OPERATOR_PORT: String(operatorPort),
  OPERATOR_TOKEN: operatorToken,
  DATA_DIR: dataDir,
  DEMO_PASSWORD: demoPassword,
  // It is written beside what a test does; who looks at it asks for it, and waits by `demoHistory`.
  DEMO_HISTORY: 'false',
  DRAIN_MS: '300',
  // Tests ask more often than anybody.
  RATE_LIMIT_FACTOR: '1000',
});

/** Where a system with these settings is found. */
export const placeOf = (dataDir: string, port: number, operatorPort: number): Place => ({
  dataDir,
  baseUrl: `http://127.0.0.1:${port}`,
  northQuayUrl: `http://northquay.localhost:${port}`,
  operatorUrl: `http://127.0.0.1:${operatorPort}`,
  salesOperatorUrl: `http://127.0.0.1:${operatorPort}`,
  operatorToken,
  password: demoPassword,
  port,
});

/** Runs the all-in-one process to its end, e.g. `--check` or a start that must be refused. */
export async function runSystem(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  await built();
  const child = spawn(process.execPath, [...startOptions, scriptOf(root), ...argv], {
    env: { ...env },
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { output, exit } = observe(child);
  const code = await exit;
  return { code, output: output() };
}

/** Ports that this process was given: one that was free is free again at once, and would be given twice. */
const givenPorts = new Set<number>();

/** A TCP port of 127.0.0.1 that nobody listens on at this moment, another one at each call. */
export async function freePort(): Promise<number> {
  const port = await anyFreePort();
  if (givenPorts.has(port)) return freePort();
  givenPorts.add(port);
  return port;
}

function anyFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** A new folder, removed by the `stop` of the system that runs on it. */
async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-'));
  made.add(folder);
  return folder;
}

function observe(child: ChildProcess): { output: () => string; exit: Promise<number | null> } {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => void (text += part));
  const exit = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return { output: () => text, exit };
}

/** Milliseconds that a start may take on a busy machine. */
export const patience = 300_000;

async function ready(
  baseUrl: string,
  child: ChildProcess,
  exit: Promise<number | null>,
  output: () => string,
): Promise<void> {
  let code: number | null | undefined;
  void exit.then((ended) => (code = ended));
  // Each look takes time from the start that it waits for.
  for (const began = Date.now(); ; await sleep(Math.min(100, 15 + (Date.now() - began) / 20))) {
    const response = await loopbackFetch(`${baseUrl}/readyz`).catch(() => undefined);
    if (code !== undefined) throw new StartFailed({ code, output: output() });
    if (response?.status === 200) return;
    if (Date.now() - began > patience) child.kill('SIGKILL');
  }
}

let building: Promise<void> | undefined;

/**
 * Brings the build up to date, unless the test run has done so (`TEST_BUILT=1`). Several test processes may do it at the
 * same moment: the compiler then finds nothing to do.
 */
export const built = (): Promise<void> =>
  (building ??= process.env['TEST_BUILT'] === '1' ? Promise.resolve() : build());

const build = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const compiler = spawn(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), '-b', 'services/all-in-one'],
      {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let complaints = '';
    compiler.stdout.setEncoding('utf8').on('data', (part: string) => void (complaints += part));
    compiler.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`the build failed:\n${complaints}`))));
  });

function rootOf(folder: string): string {
  if (existsSync(join(folder, 'tsconfig.base.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('the root of the repository was not found');
  return rootOf(parent);
}
