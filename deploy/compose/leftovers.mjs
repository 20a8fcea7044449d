// What a run must not leave on the machine: processes, mounts, groups of processes, files.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../cluster/places.mjs';
import { group } from './engine.mjs';

const read = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** What is left; empty where everything is gone. */
export function leftovers() {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(join('/proc', name, 'cmdline')).includes(`${run}/`))
    .map((id) => `process ${id}`);
  const mounts = read('/proc/self/mounts').split('\n');
  const top = '/sys/fs/cgroup';
  const groups = ['', ...readdirSync(top)].map((kind) => join(top, kind, group));
  return [...processes, ...mounts.filter((line) => line.includes(` ${run}/`)), ...[...groups, run].filter(existsSync)];
}
