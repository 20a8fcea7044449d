/** For tests that put a service together by themselves: the parts of a process that `run` puts together otherwise. */
export { type Eraser, startErasing } from './erasing.ts';
export { type FollowedTrust, followTrust } from './trust.ts';
export { knownEventsOf } from './known-events.ts';
