import { run } from '@lyceum/host';
import { learning } from './module.ts';

await run([learning]);
