import { run } from '@lyceum/runtime';
import { school } from './module.ts';

await run([school]);
