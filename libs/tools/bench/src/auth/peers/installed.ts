import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PeerMissing } from '../../measuring/case.ts';
import { peerCache } from '../../measuring/peer-cache.ts';

interface Servers {
  readonly keycloak: {
    readonly version: string;
    /** Name and password of the one administrator of the empty database. */
    readonly administrator: string;
    readonly start: readonly string[];
    /** What an H2 address ends with. */
    readonly database: string;
  };
  readonly hydra: { readonly version: string };
}

/** The servers that `npm run bench:peers` installs, with what installer and measurement agree upon. */
export const servers = JSON.parse(
  readFileSync(new URL('../../../peers/servers.json', import.meta.url), 'utf8'),
) as Servers;

/** The folder of an installed server in the cache of this machine. Throws `PeerMissing` when it is not there. */
export function installedPeer(name: keyof Servers): string {
  const folder = join(peerCache, `${name}-${servers[name].version}`);
  if (!existsSync(folder)) throw new PeerMissing(`${name} is not installed: npm run bench:peers -- ${name}`);
  return folder;
}
