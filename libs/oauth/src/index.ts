export type { Principal } from './principal.ts';
export type { Trust, TrustedKey, TrustedSchool } from './trust.ts';
