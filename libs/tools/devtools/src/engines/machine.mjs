// What installing engines needs: commands that are run, and the cache of this machine.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder that engines are kept in. */
export const cache = process.env['LYCEUM_ENGINES'] ?? join(homedir(), '.cache/lyceum-engines');

/** A reason that a person can act on. */
export class Lacking extends Error {}

export const run = (command, args, options = {}) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (error?.code === 'ENOENT') throw new Lacking(`${command} is not installed`);
  if (status !== 0)
    throw new Lacking(
      `${command} ${args[0]} failed:\n${error?.message ?? `${stdout}${stderr}`.trim().split('\n').slice(-15).join('\n')}`,
    );
  return stdout || stderr;
};
export const has = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** Throws when the Java of the PATH is older. */
export function needJava(oldest) {
  const java = /version "(\d+)/.exec(run('java', ['-version']))?.[1] ?? '0';
  if (Number(java) < oldest) throw new Lacking(`Java ${oldest} or newer is needed, this is ${java}`);
}

/** Makes a folder of the cache in one step: others see it whole or not at all, and two installers do no harm. */
export function intoCache(name, build) {
  const target = join(cache, name);
  if (existsSync(target)) return target;
  console.log(`...   ${name}: installing`);
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, `.${name}-`));
  try {
    build(folder);
    renameSync(folder, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return target;
}

/** Runs a command as root. */
export const asRoot = (...command) => {
  const [first, ...args] = [...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), ...command];
  return run(first, args);
};
