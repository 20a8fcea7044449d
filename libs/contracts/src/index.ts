export { addedRoutes, routeEntries, routesFault, servicesOfPeopleWith } from './added-routes.ts';
export { largestAmount, minorDigits } from './currency.ts';
export { domainOrigin } from './domain-origin.ts';
export { foldEmail, isSameEmail, readEmail } from './email-address.ts';
export { type Scope, type ScopeEntry, scopes, scopeNames, oidcScopes, isScope, mayHold } from './access/scopes.ts';
export { type Role, roles, atLeast } from './access/roles.ts';
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
} from './access/oauth-surface.ts';
export { type LanguageWishes, type UiLanguage, uiLanguage } from './ui-language.ts';
export { type FeedEntry, type IntegrationEvent, type Shows, meaningOf } from './integration-events/declaration.ts';
export { type FactOf, type FactSource, facts, factsOf, factSources, urgentFacts } from './integration-events/facts.ts';
export { authFacts } from './integration-events/auth.ts';
export { schoolFacts } from './integration-events/school.ts';
export { catalogFacts } from './integration-events/catalog.ts';
export { learningFacts } from './integration-events/learning.ts';
export { mediaFacts } from './integration-events/media.ts';
export { commerceFacts } from './integration-events/commerce.ts';
export { contentFacts } from './integration-events/content.ts';
export {
  type DarkMode,
  type PageLayout,
  type Typography,
  darkModes,
  layouts,
  typographies,
} from './appearance/appearance.ts';
export { contrast, luminance } from './appearance/contrast.ts';
export type { Look } from './appearance/look.ts';
export { type Palette, palettes } from './appearance/palette.ts';
export { derivePalettes } from './appearance/derive-palettes.ts';
export { type JsonSchema, publishedSchema, wireSchema } from './wire-schema.ts';
export { type Learner, type PublishedRelease, isReleased } from './release.ts';
export { type Holding, type HoldingFact, givesAccess, holdingAfter, holdingFacts } from './plan-holding.ts';
export { addressSetting, routes, routesOf, servicesOfPeople } from './routes.ts';
export { apiLimits, clientLifetimes, clientLimits } from './access/published-terms.ts';
export { type Invitation, openInvitation, sealInvitation } from './invitation.ts';
export {
  currencyCode,
  httpsUrl,
  instant,
  languageTag,
  line,
  link,
  linkTarget,
  paragraph,
  slug,
  timeZone,
} from './value-types.ts';
export { deepestElement, isSafeHref, isSafeHtml, safeElements, voidElements } from './text/safe-html.ts';
export { type RichText, maxRichTextBytes, richText, richTextInput, richTextOrNone } from './text/rich-text.ts';
export {
  demoAccountId,
  demoCourseId,
  demoLecturerId,
  demoLessonId,
  demoPlanId,
  demoProductId,
  demoSchoolId,
} from './demo/demo-ids.ts';
export { type DemoFile, demoFileId, demoFiles, demoPdf } from './demo/demo-files.ts';
export { type DemoImage, demoImages } from './demo/demo-images.ts';
export { largestFile, mediaPaths } from './files/media-paths.ts';
export { webhookPath } from './webhook-path.ts';
export {
  type FileReferenceEvent,
  fileReferenceEvents,
  fileReferenceOf,
  isFileId,
  referenceEvents,
} from './files/file-references.ts';
export { type Permission, SignedPaths } from './files/signed-path.ts';
export { type NamedImage, imageAddress, imageInput, imageNamed, imagePath } from './files/images.ts';
