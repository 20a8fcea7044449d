import {
  assertionAlgs,
  clientAuthMethods,
  grantTypes,
  oauthPaths,
  oidcScopes,
  scopeNames,
  signingAlgs,
  uiLocales,
  wellKnownPaths,
} from '@lyceum/contracts';
import { mcpScopes } from './mcp-scopes.ts';

/** Whom the discovery documents speak of. */
export interface Site {
  /** The issuer, byte for byte. */
  readonly baseUrl: string;
  readonly name: string;
  /** Where the documentation for client developers is. */
  readonly docsUrl: string;
  /** Multiplies the limits that documents tell of. */
  readonly limitFactor: number;
  /** Whether there is an MCP server. */
  readonly hasMcp: boolean;
  /** Whether the MCP server has an address at which clients have to sign in. */
  readonly hasSignInAlias?: boolean;
}

const tokenClaims = ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'amr', 'azp', 'at_hash', 'sid'];
const personClaims = ['name', 'locale', 'updated_at', 'email', 'email_verified'];

/**
 * What the authorization server of a school is and can do: the one model behind both its documents. A field that clients
 * would otherwise assume (implicit grant, client_secret_basic, request_uri) is stated even where nothing is offered.
 * @see RFC 8414 §2, OpenID Connect Discovery 1.0 §3, RFC 9207 §3
 */
const authorizationServer = ({ baseUrl, docsUrl }: Site) => ({
  issuer: baseUrl,
  authorization_endpoint: baseUrl + oauthPaths.authorize,
  token_endpoint: baseUrl + oauthPaths.token,
  userinfo_endpoint: baseUrl + oauthPaths.userinfo,
  jwks_uri: baseUrl + oauthPaths.jwks,
  registration_endpoint: baseUrl + oauthPaths.register,
  revocation_endpoint: baseUrl + oauthPaths.revoke,
  introspection_endpoint: baseUrl + oauthPaths.introspect,
  end_session_endpoint: baseUrl + oauthPaths.endSession,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
  scopes_supported: scopeNames,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: grantTypes,
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: clientAuthMethods,
  token_endpoint_auth_signing_alg_values_supported: assertionAlgs,
  revocation_endpoint_auth_methods_supported: clientAuthMethods,
  revocation_endpoint_auth_signing_alg_values_supported: assertionAlgs,
  introspection_endpoint_auth_methods_supported: clientAuthMethods,
  introspection_endpoint_auth_signing_alg_values_supported: assertionAlgs,
  subject_types_supported: ['public'],
  // RS256 first: the algorithm that every client must know.
  id_token_signing_alg_values_supported: [...signingAlgs].toReversed(),
  claims_supported: [...tokenClaims, ...personClaims],
  claim_types_supported: ['normal'],
  prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
  acr_values_supported: ['0'],
  display_values_supported: ['page'],
  ui_locales_supported: uiLocales,
  claims_parameter_supported: false,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  require_request_uri_registration: false,
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: docsUrl,
});

/**
 * The API of a school as a protected resource, at its base URL or at another origin of its own. It asks for no OpenID
 * scopes: who signs in is not its business.
 * @see RFC 9728 §2, §3.3
 */
const protectedResource = ({ baseUrl, name, docsUrl }: Site, origin: string) => ({
  resource: origin,
  authorization_servers: [baseUrl],
  scopes_supported: scopeNames.filter((scope) => !oidcScopes.includes(scope)),
  bearer_methods_supported: ['header'],
  resource_name: name,
  resource_documentation: docsUrl,
});

/**
 * The MCP server as a protected resource of its own: strict clients want the address that they asked, and no other.
 * @see RFC 9728 §3.3
 */
const mcpServer = (site: Site, origin: string) => ({
  ...protectedResource(site, origin),
  resource: `${origin}/mcp`,
  scopes_supported: mcpScopes,
});

/** Where the protected resources of a school are described. @see RFC 9728 §3.1 */
export const resourcePaths: readonly string[] = [wellKnownPaths.protectedResource, wellKnownPaths.mcpProtectedResource];

/** What describes the protected resources at an origin of the school, by path: each names the address that was asked. */
export const resourceDocuments = (site: Site, origin: string): Readonly<Record<string, unknown>> => ({
  [wellKnownPaths.protectedResource]: protectedResource(site, origin),
  [wellKnownPaths.mcpProtectedResource]: mcpServer(site, origin),
});

/** The discovery documents by path. */
export const discoveryDocuments = (site: Site): Readonly<Record<string, unknown>> => ({
  [wellKnownPaths.authorizationServer]: authorizationServer(site),
  [wellKnownPaths.openidConfiguration]: authorizationServer(site),
  ...resourceDocuments(site, site.baseUrl),
});
