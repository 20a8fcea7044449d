import { run } from '@lyceum/host';
import { school } from './module.ts';

await run([school]);
