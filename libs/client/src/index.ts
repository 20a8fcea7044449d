export type { components, paths } from './api.ts';
export { type School, openSchool } from './open-school.ts';
export { type SendOptions } from './retrying-fetch.ts';
export { type TokenSource } from './token-source.ts';
export { pages } from './pages.ts';
export { type Change, type FollowOptions, type Heard, followChanges } from './changes.ts';
export { type ErrorBody, type ErrorCode, SchoolError, isErrorBody, valueOf } from './school-error.ts';
