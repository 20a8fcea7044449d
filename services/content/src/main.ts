import { run } from '@lyceum/host';
import { content } from './module.ts';

await run([content]);
