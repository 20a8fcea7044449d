import { randomUUID } from 'node:crypto';
import { access, constants, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AlreadyRunning, openDatabase } from '@lyceum/sqlite';
import { listen } from './listener.ts';
import { engineObstacles } from './reach.ts';
import { StartRefused } from './refusal.ts';
import type { ProcessSettings } from './settings.ts';

/** What keeps the process from starting although its settings are well formed, as lines; empty when it would start. Changes nothing. */
export async function obstacles(settings: ProcessSettings): Promise<string[]> {
  const { DATA_DIR, HOST, PORT, OPERATOR_HOST, OPERATOR_PORT } = settings;
  const found = await Promise.all([
    folderObstacle(DATA_DIR),
    portObstacle(HOST, PORT, 'PORT'),
    portObstacle(OPERATOR_HOST, OPERATOR_PORT, 'OPERATOR_PORT'),
  ]);
  return [...found.filter((line) => line !== undefined), ...(await engineObstacles(settings))];
}

async function folderObstacle(folder: string): Promise<string | undefined> {
  let services: string[];
  try {
    services = await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      return `DATA_DIR ${folder} cannot be read (${(error as Error).message})`;
    return creatable(folder);
  }
  const probe = join(folder, `.probe-${randomUUID()}`);
  try {
    await writeFile(probe, '');
    await rm(probe);
  } catch {
    return `DATA_DIR ${folder} cannot be written to`;
  }
  for (const service of services) {
    const held = await lockObstacle(folder, join(folder, service, 'events.db'));
    if (held) return held;
  }
  return undefined;
}

async function creatable(folder: string): Promise<string | undefined> {
  const parent = dirname(folder);
  try {
    await access(parent, constants.W_OK);
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && parent !== folder) return creatable(parent);
    return `DATA_DIR ${folder} cannot be created: ${parent} is not writable`;
  }
}

async function lockObstacle(folder: string, file: string): Promise<string | undefined> {
  try {
    await access(file);
  } catch {
    return undefined;
  }
  try {
    (await openDatabase(file, { durable: true })).close();
    return undefined;
  } catch (error) {
    if (error instanceof AlreadyRunning) return `Lyceum is already running on this data directory: ${folder}`;
    return `${file} cannot be opened (${(error as Error).message})`;
  }
}

async function portObstacle(host: string, port: number, setting: string): Promise<string | undefined> {
  try {
    await (await listen(() => undefined, { host, port, setting })).close(0);
    return undefined;
  } catch (error) {
    if (error instanceof StartRefused) return [`${setting}: ${error.message}`, ...error.lines].join('\n');
    throw error;
  }
}
