/** The OAuth endpoints, relative to a school's base URL. Fixed by the access specification but for `introspect` and `jwks`. */
export const oauthPaths = {
  register: '/api/oauth/register',
  authorize: '/oauth/authorize',
  token: '/api/oauth/token',
  userinfo: '/api/oauth/userinfo',
  revoke: '/api/oauth/revoke',
  introspect: '/api/oauth/introspect',
  jwks: '/api/oauth/jwks',
  endSession: '/oauth/logout',
} as const;

/** The discovery documents, relative to a school's base URL. */
export const wellKnownPaths = {
  protectedResource: '/.well-known/oauth-protected-resource',
  mcpProtectedResource: '/.well-known/oauth-protected-resource/mcp',
  authorizationServer: '/.well-known/oauth-authorization-server',
  openidConfiguration: '/.well-known/openid-configuration',
  apiCatalog: '/.well-known/api-catalog',
} as const;

/** Grant types that the token endpoint knows. */
export const grantTypes = ['authorization_code', 'refresh_token'] as const;

/** How a client may authenticate at the token, revocation and introspection endpoints. */
export const clientAuthMethods = ['none', 'client_secret_post', 'client_secret_basic', 'private_key_jwt'] as const;

/** Signature algorithms of client assertions (`private_key_jwt`). @see RFC 7523 §3 */
export const assertionAlgs = ['ES256', 'PS256', 'RS256'] as const;

/** Signature algorithms of access tokens and ID tokens, most preferred first. RS256 is what every verifier knows. */
export const signingAlgs = ['ES256', 'RS256'] as const;
export type SigningAlg = (typeof signingAlgs)[number];

/** Languages of the pages, by primary language subtag. @see RFC 5646 §2.2.1 */
export const uiLocales = ['en', 'de', 'pt', 'ko'] as const;

/** The header by which the gateway tells a service which school a request is for. Stripped from everything that comes from outside. */
export const schoolHeader = 'x-school-id';

/** The header by which the gateway tells a service where a request comes from, as an IP address. Stripped likewise. */
export const clientAddressHeader = 'x-client-address';

/**
 * The header by which the gateway tells a service at which path a token was shown, where it asks on somebody's behalf:
 * the audience is judged by that path. Stripped likewise.
 */
export const tokenPathHeader = 'x-school-token-path';

/**
 * The header by which the gateway tells a service at which origin a request came in, where that is a custom domain of the
 * school and not its base URL. Stripped likewise.
 */
export const schoolOriginHeader = 'x-school-origin';
