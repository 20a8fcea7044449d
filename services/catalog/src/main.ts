import { run } from '@lyceum/host';
import { catalog } from './module.ts';

await run([catalog]);
