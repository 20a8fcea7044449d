import { storedJson } from '@lyceum/kernel';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The servers that the processes of a data folder use. What is not named is embedded, in the folder. */
export interface Servers {
  /** Databases are named with the prefix. `usedAs`: how the adapters are told to use the server. */
  readonly mongodb?: { readonly url: string; readonly prefix: string; readonly usedAs?: 'standalone' };
  /** `mode`: how the consumers follow; `shared` commits what is handled. */
  readonly kafka?: { readonly brokers: readonly string[]; readonly prefix: string; readonly mode: 'each' | 'shared' };
}

const fileOf = (folder: string): string => join(folder, 'servers.json');

/** Says which servers a new folder uses. */
export function useServers(folder: string, servers: Servers): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(folder), JSON.stringify(servers));
}

/** The servers of a folder. */
export const serversOf = (folder: string): Servers =>
  existsSync(fileOf(folder)) ? storedJson(readFileSync(fileOf(folder), 'utf8')) : {};
