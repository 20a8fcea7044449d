import { run } from '@lyceum/host';
import { gateway } from './module.ts';

await run([gateway]);
