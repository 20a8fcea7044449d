import { run } from '@lyceum/runtime';
import { auth } from './module.ts';

await run([auth]);
