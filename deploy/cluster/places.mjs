// Where the cluster keeps what it compiles, where it runs, and how commands get into its namespaces.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
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
/** The nodes: where each is, and where its pods are. One with `isMachine` is apart from the box, as another machine would be. */
export const nodes = [
  { name: 'node1', address: nodeAddress, pods: '10.244.0.0/24', zone: 'a' },
  { name: 'node2', address: '10.250.0.2', pods: '10.244.1.0/24', zone: 'b', isMachine: true },
];
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

const pidFile = (where) => join(run, `${where}.pid`);
const pidOf = (where) => (existsSync(pidFile(where)) ? Number(readFileSync(pidFile(where), 'utf8')) : undefined);
const entering = (where, args) => ['-t', String(pidOf(where)), '-m', '-n', '-p', `--wd=${root}`, ...args];
/** The first process of the box. */
export const boxPid = () => pidOf('box');

/** Runs a command in the namespaces of the box, or of a machine in it. */
export const inside = (where, args, options) => command('nsenter', entering(where, args), options);
/** Runs a command in the namespaces of the cluster, where its addresses exist. */
export const box = (args, options) => inside('box', args, options);

/** Starts a program in the namespaces of the cluster that goes on; it ends with them. Its output is in `log/<name>.log`. */
export function started(name, args, where = 'box') {
  mkdirSync(join(run, 'log'), { recursive: true });
  const log = openSync(join(run, 'log', `${name}.log`), 'a');
  const options = { cwd: root, env, detached: true, stdio: ['ignore', log, log] };
  const child = spawn('nsenter', entering(where, args), options);
  child.unref();
  return child;
}

const childOf = async (pid) => (await until(10_000, () => command('pgrep', ['-P', String(pid)]))).trim().split('\n')[0];

/** Notes the process that keeps namespaces open: the one that `child` has started. Gives its number on this machine. */
export async function keeping(where, child) {
  const pid = await childOf(child.pid);
  writeFileSync(pidFile(where), pid);
  await sleep(200);
  return Number(pid);
}

/** Mounts and a network of a machine's own inside of the box. Gives the number of their process in the box. */
export async function openInside(name) {
  const namespaces = ['--mount', '--net', '--fork', '--propagation', 'private'];
  const outer = started(name, ['unshare', ...namespaces, 'sleep', 'infinity']);
  // nsenter makes a process of the box, unshare one in the new namespaces.
  const pid = await keeping(name, { pid: await childOf(outer.pid) });
  return /^NSpid:.*\s(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1];
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
