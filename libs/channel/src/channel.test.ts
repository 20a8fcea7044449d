import { memoryChannel } from './memory/memory.ts';
import { testChannel } from './testing.ts';

testChannel('memory', async (options) => memoryChannel(options));
