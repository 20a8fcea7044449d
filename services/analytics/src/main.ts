import { run } from '@lyceum/host';
import { analytics } from './module.ts';

await run([analytics]);
