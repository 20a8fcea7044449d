import { run } from '@lyceum/runtime';
import { catalog } from './module.ts';

await run([catalog]);
