export type { Principal } from './tokens/principal.ts';
export {
  type Closure,
  type TokenFacts,
  type Trust,
  TrustAwaited,
  type TrustedKey,
  type TrustedSchool,
} from './trust/trust.ts';
export type { TrustSnapshot } from './trust/trust-snapshot.ts';
export { type FactDelivery, type TrustState, trustState } from './trust/trust-state.ts';
export { type TokenUse, type Verifier, verifier } from './tokens/verifier.ts';
export { BadSignatureLimiter, type Settle, TooManyForgeries } from './tokens/bad-signature-limiter.ts';
export { InvalidToken } from './tokens/invalid-token.ts';
export { type TokenCarrier, TokenInQuery, bearerToken } from './tokens/bearer.ts';
export { type Refusal, challenge, printable } from './tokens/challenge.ts';
