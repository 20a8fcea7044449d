import { run } from '@lyceum/host';
import { commerce } from './module.ts';

await run([commerce]);
