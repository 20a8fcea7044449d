import { run } from '@lyceum/runtime';
import { gateway } from './module.ts';

await run([gateway]);
