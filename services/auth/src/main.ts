import { run } from '@lyceum/host';
import { auth } from './module.ts';

await run([auth]);
