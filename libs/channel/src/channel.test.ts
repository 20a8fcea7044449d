import { memoryChannel } from './memory.ts';
import { testChannel } from './testing.ts';

testChannel('memory', async (options) => memoryChannel(options));
