// The helm command: found, and run.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const answers = (command) => spawnSync(command, ['version'], { stdio: 'ignore' }).status === 0;

/** The helm of HELM, of the PATH, or of the cache that `npm run engines` fills; undefined where there is none. */
export function findHelm(env = process.env) {
  const cache = env['LYCEUM_ENGINES'] ?? join(homedir(), '.cache/lyceum-engines');
  const kept = existsSync(cache) ? readdirSync(cache).filter((name) => name.startsWith('helm-')) : [];
  return [env['HELM'], 'helm', ...kept.map((name) => join(cache, name, 'helm'))].find(
    (command) => command && answers(command),
  );
}

/** Runs helm and gives what it prints; throws with what it complains of. */
export function helm(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });
  if (error) throw error;
  if (status !== 0) throw new Error(`helm ${args.join(' ')}\n${stderr}${stdout}`);
  return stdout;
}
