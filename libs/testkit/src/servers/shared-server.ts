import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SharedServer } from './backing-server.ts';
import { runFolder } from './run-folder.ts';

/**
 * The one server of that name among all that share an owner: whoever comes first starts it, the others wait and read
 * where it is. Jest isolates test files from each other, even within one worker, so the meeting place is a folder.
 */
export async function shared(name: string, owner: number, start: () => Promise<SharedServer>): Promise<SharedServer> {
  const place = join(runFolder(owner), `shared ${name}`);
  const note = join(place, 'server.json');
  for (;;) {
    if (existsSync(note)) return JSON.parse(readFileSync(note, 'utf8')) as SharedServer;
    if (await claimed(place)) return announce(await start().catch(giveUp(place)), note);
    await sleep(50);
  }
}

/** A folder is made by exactly one; its absence after a failed start lets the next one try. */
const claimed = (place: string): Promise<boolean> =>
  mkdir(place).then(
    () => true,
    () => false,
  );

const giveUp =
  (place: string) =>
  async (error: unknown): Promise<never> => {
    await rm(place, { recursive: true, force: true });
    throw error;
  };

async function announce(server: SharedServer, note: string): Promise<SharedServer> {
  const { kind, title, origin, url } = server;
  await writeFile(`${note}.new`, JSON.stringify({ kind, title, origin, url }));
  await rename(`${note}.new`, note);
  return { kind, title, origin, url };
}
