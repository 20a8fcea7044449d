// Where the cluster keeps what it compiles, where it runs, and how commands get into its namespaces.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Kept: what was compiled, the base images, and the layers of the build. */
export const cache = process.env['LYCEUM_CLUSTER'] ?? join(homedir(), '.cache/lyceum-cluster');
export const bin = join(cache, 'bin');
/** Thrown away: what runs. */
export const run = process.env['LYCEUM_CLUSTER_RUN'] ?? join(tmpdir(), 'lyceum-cluster');
export const here = import.meta.dirname;
export const root = join(here, '../..');

export const nodeAddress = '10.250.0.1';
export const kubeconfig = join(run, 'pki/admin.kubeconfig');
const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}`, KUBECONFIG: kubeconfig };

export class CommandFailed extends Error {}

/** Runs a command to its end; its standard output. `inherit` shows it instead. Throws `CommandFailed`. */
export function command(name, args, { input, inherit = false, more = {}, cwd = root } = {}) {
  const stdio = inherit ? ['ignore', 'inherit', 'inherit'] : ['pipe', 'pipe', 'pipe'];
  const options = { cwd, env: { ...env, ...more }, stdio, input, encoding: 'utf8', maxBuffer: 2 ** 28 };
  const { status, stdout, stderr, error } = spawnSync(name, args, options);
  if (status === 0) return stdout ?? '';
  throw new CommandFailed(
    `${name} ${args.join(' ').slice(0, 300)}: ${error?.message ?? `${stderr ?? ''}${stdout ?? ''}`}`,
  );
}

const boxFile = join(run, 'box.pid');
export const boxPid = () => (existsSync(boxFile) ? Number(readFileSync(boxFile, 'utf8')) : undefined);
const inBox = (args) => ['-t', String(boxPid()), '-m', '-n', '-p', `--wd=${root}`, ...args];

/** Runs a command in the namespaces of the cluster, where its addresses exist. */
export const box = (args, options) => command('nsenter', inBox(args), options);

/** Starts a program in the namespaces of the cluster that goes on; it ends with them. Its output is in `log/<name>.log`. */
export function started(name, args) {
  mkdirSync(join(run, 'log'), { recursive: true });
  const log = openSync(join(run, 'log', `${name}.log`), 'a');
  const child = spawn('nsenter', inBox(args), { cwd: root, env, detached: true, stdio: ['ignore', log, log] });
  child.unref();
  return child;
}

/** Waits until work does not throw, for a time in milliseconds; gives what it gives, and throws what it threw last. */
export async function until(patience, work) {
  for (const began = Date.now(); ; await sleep(200)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() - began > patience) throw error;
    }
  }
}

const beginning = Date.now();
/** One line of what is done, with the seconds since the beginning. */
export const say = (text) => console.log(`${((Date.now() - beginning) / 1_000).toFixed(1).padStart(7)} s  ${text}`);
