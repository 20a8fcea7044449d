import { codeOf } from '@lyceum/kernel';
import { mkdir, readFile, readdir, realpath, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { unwritableFor } from './writable.ts';
import { places } from './manifest.ts';

/** The folder that was asked for cannot take a backup. `message` says why. */
export class PlaceRefused extends Error {
  override readonly name = 'PlaceRefused';
}

/** Folders that matter for where a backup may go. */
export interface Surroundings {
  readonly DATA_DIR: string;
  /** Backups go nowhere else, and relative names begin here. */
  readonly BACKUP_DIR: string;
}

const within = (folder: string, outer: string): boolean => {
  const way = relative(outer, folder);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
};

/** The path with every link on the way resolved, as far as it exists. */
async function real(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return join(await real(dirname(path)), path.slice(dirname(path).length));
  }
}

/** Whether a folder holds half a backup of the same data, whose process ended before it was complete. */
async function isCutOff(folder: string, there: readonly string[], dataDir: string): Promise<boolean> {
  if (!there.includes(places.unfinished) || there.includes(places.manifest)) return false;
  return (await readFile(join(folder, places.unfinished), 'utf8')) === dataDir;
}

/** Why backups cannot be made where the settings say, or where they go when nothing is said; undefined when they can. Changes nothing. */
export async function placeProblem({ DATA_DIR, BACKUP_DIR }: Surroundings): Promise<string | undefined> {
  const [backups, data] = [await real(BACKUP_DIR), await real(DATA_DIR)];
  if (within(backups, data) || within(data, backups))
    return `BACKUP_DIR ${BACKUP_DIR} must lie apart from DATA_DIR: no backup can be made`;
  const unwritable = await unwritableFor(backups);
  return unwritable && `BACKUP_DIR ${BACKUP_DIR}: ${unwritable}, so that no backup can be made`;
}

/**
 * Makes the folder of a backup and gives its path. It must be new or empty, inside of BACKUP_DIR and outside of DATA_DIR.
 * Throws `PlaceRefused`.
 */
export async function placeFor(asked: string, { DATA_DIR, BACKUP_DIR }: Surroundings): Promise<string> {
  if (asked.includes('\0')) throw new PlaceRefused('it is no path');
  const [folder, backups] = [await real(resolve(BACKUP_DIR, asked)), await real(BACKUP_DIR)];
  if (!within(folder, backups) || folder === backups)
    throw new PlaceRefused(`it is not inside of BACKUP_DIR (${BACKUP_DIR})`);
  const data = await real(DATA_DIR);
  if (within(folder, data) || within(data, folder)) throw new PlaceRefused('it must lie apart from DATA_DIR');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const there = await readdir(folder);
  if (await isCutOff(folder, there, DATA_DIR))
    for (const each of there) await rm(join(folder, each), { recursive: true, force: true });
  else if (there.length > 0) throw new PlaceRefused('the folder is not empty, and nothing is overwritten');
  return folder;
}
