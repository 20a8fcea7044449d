import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StartRefused } from '@lyceum/service';
import { places } from './manifest.ts';

/** The services that have a log in a data folder. Throws `StartRefused` when there is none. */
export async function servicesOf(dataDir: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(dataDir).catch(() => []))
    if (await exists(join(dataDir, places.log(name)))) found.push(name);
  if (found.length === 0) throw new StartRefused(`${dataDir} holds no data`);
  return found;
}

/** Whether there is a file. */
export const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
