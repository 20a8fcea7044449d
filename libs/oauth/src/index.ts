export type { Principal } from './principal.ts';
export { type TokenFacts, type Trust, TrustAwaited, type TrustedKey, type TrustedSchool } from './trust.ts';
export type { TrustMemory } from './trust-memory.ts';
export { type FactDelivery, type TrustState, trustState } from './trust-state.ts';
export { type TokenUse, type Verifier, verifier } from './verifier.ts';
export { Forgeries, type Settle, TooManyForgeries } from './forgeries.ts';
export { InvalidToken } from './invalid-token.ts';
export { type TokenCarrier, TokenInQuery, bearerToken } from './bearer.ts';
export { type Refusal, challenge, printable } from './challenge.ts';
