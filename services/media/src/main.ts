import { run } from '@lyceum/host';
import { media } from './module.ts';

await run([media]);
