export { domainOrigin } from './domain-origin.ts';
export { foldEmail, isSameEmail, readEmail } from './email-address.ts';
export { type Scope, type ScopeEntry, scopes, scopeNames, oidcScopes, isScope } from './scopes.ts';
export { type Role, roles, mayHold, atLeast } from './roles.ts';
export { type ErrorCode, type ErrorEntry, errors, isErrorCode } from './errors.ts';
export {
  type SigningAlg,
  oauthPaths,
  wellKnownPaths,
  grantTypes,
  clientAuthMethods,
  assertionAlgs,
  signingAlgs,
  schoolHeader,
  uiLocales,
  clientAddressHeader,
  schoolOriginHeader,
  tokenPathHeader,
} from './oauth-surface.ts';
export { type LanguageWishes, type UiLanguage, uiLanguage } from './ui-language.ts';
export { type FactOf, type FactSource, facts, schoolFacts, authFacts, catalogFacts, urgentFacts } from './facts.ts';
export { type DarkMode, type PageLayout, type Typography, darkModes, layouts, typographies } from './appearance.ts';
export { contrast, luminance } from './contrast.ts';
export type { Look } from './look.ts';
export { type Palette, palettes } from './palette.ts';
export { derivePalettes } from './derive-palettes.ts';
export { type JsonSchema, wireSchema } from './wire-schema.ts';
export { routes, routesOf } from './routes.ts';
export { apiLimits, clientLifetimes, clientLimits } from './published-terms.ts';
export { type Invitation, openInvitation, sealInvitation } from './invitation.ts';
export { httpsUrl, instant, line, paragraph } from './value-types.ts';
export { demoAccountId, demoSchoolId } from './demo-ids.ts';
