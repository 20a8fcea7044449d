import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder in which `npm run engines` and `npm run bench:peers` keep servers. */
export const peerCache = process.env['LYCEUM_ENGINES'] ?? join(homedir(), '.cache/lyceum-engines');

const keptNginx = join(peerCache, 'nginx/nginx');

/** The nginx of the cache, where there is one, or that of the PATH. */
export const nginxCommand = (): string => (existsSync(keptNginx) ? keptNginx : 'nginx');
