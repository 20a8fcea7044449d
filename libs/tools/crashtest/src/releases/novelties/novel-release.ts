import { register } from 'node:module';

/** For `node --import`: the process is one of a release that knows an event more. */
register(new URL('./novel-resolving.js', import.meta.url));
