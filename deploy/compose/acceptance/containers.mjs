// The containers of docker-compose.yml, and what is done to one of them. Nothing here stands still while it waits: the load is
// in the same process.
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const docker = async (...args) => (await run('docker', args, { maxBuffer: 2 ** 26 })).stdout.trim();
const compose = (...args) => docker('compose', '--ansi=never', '--progress=quiet', '--profile=apps', ...args);

const inspect = async (name, what) => docker('inspect', '-f', what, await compose('ps', '-a', '-q', name));

async function untilHealthy(name) {
  for (const began = Date.now(); Date.now() - began < 180_000; await sleep(500))
    if ((await inspect(name, '{{.State.Health.Status}}').catch(() => '')) === 'healthy') return;
  throw new Error(`${name} has not become healthy`);
}

/** Makes a container anew: another address, nothing of its file system, its volumes as they were. */
export const recreate = (name) => compose('up', '-d', '--wait', '--no-build', '--no-deps', '--force-recreate', name);

/** Ends a container by its own signal, and starts it again. */
export async function restart(name) {
  await compose('restart', name);
  await untilHealthy(name);
}

/** SIGKILL of a container's first process, from outside of it. The engine starts it again, as `restart` wants it. */
export async function kill(name) {
  const count = async () => Number(await inspect(name, '{{.RestartCount}}'));
  const before = await count();
  process.kill(Number(await inspect(name, '{{.State.Pid}}')), 'SIGKILL');
  for (const began = Date.now(); (await count()) === before; await sleep(200))
    if (Date.now() - began > 30_000) throw new Error(`${name} was not started again`);
  await untilHealthy(name);
}

/** Names of the containers, those of the services or those of the engines. */
export async function names() {
  const { services } = JSON.parse(await compose('config', '--format=json'));
  const all = Object.entries(services);
  const named = (isApp) => all.filter(([, { build }]) => (build !== undefined) === isApp).map(([name]) => name);
  return { apps: named(true), engines: named(false) };
}
