import { accessSync, constants, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Versions that `npm run engines` puts into the cache; the two files are held together by a test. */
export const engineVersions = { ferretdb: ['1.24.2'], kafka: ['3.9.1', '4.1.1'], versitygw: ['1.8.0'] } as const;

/** The folder of one engine in the cache of this machine, or undefined when it is not there. */
export function cachedEngine(name: keyof typeof engineVersions, version: string): string | undefined {
  const cache = process.env['LYCEUM_ENGINES'] ?? join(homedir(), '.cache/lyceum-engines');
  const folder = join(cache, `${name}-${version}`);
  return existsSync(folder) ? folder : undefined;
}

/** The path of a program of this machine, or undefined. */
export function programOnPath(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
