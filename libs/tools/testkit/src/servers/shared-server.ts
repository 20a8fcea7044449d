import { storedJson } from '@lyceum/kernel';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SharedServer } from './backing-server.ts';
import { runFolder } from './run-folder.ts';

/** The one server of that name among all that share an owner. */
export const shared = (name: string, owner: number, start: () => Promise<SharedServer>): Promise<SharedServer> =>
  meet(name, owner, async () => {
    const { kind, title, origin, url } = await start();
    return { kind, title, origin, url };
  });

/**
 * The one thing of that name among all that share an owner, told as JSON: whoever comes first starts it, the others wait
 * and read where it is. Jest isolates test files from each other, even within one worker, so the meeting place is a folder.
 */
export async function meet<T>(name: string, owner: number, start: () => Promise<T>): Promise<T> {
  const place = join(runFolder(owner), `shared ${name}`);
  const note = join(place, 'server.json');
  for (;;) {
    if (existsSync(note)) return storedJson(readFileSync(note, 'utf8'));
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

async function announce<T>(told: T, note: string): Promise<T> {
  await writeFile(`${note}.new`, JSON.stringify(told));
  await rename(`${note}.new`, note);
  return told;
}
