// Where `npm run compose` runs: not where `npm run cluster` does, so that both can run at once. It is imported before all that
// reads the folder.
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.env['LYCEUM_CLUSTER_RUN'] = process.env['LYCEUM_COMPOSE_RUN'] ?? join(tmpdir(), 'lyceum-compose');
