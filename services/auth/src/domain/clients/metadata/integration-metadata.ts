import { isScope } from '@lyceum/contracts';
import { Problem } from '@lyceum/web';
import { z } from 'zod';
import type { ClientMetadata } from '../client.events.ts';
import { isLoopbackRedirect } from '../redirect-uri.ts';
import { wrong } from './metadata-fields.ts';
import { publicJwks } from './public-jwks.ts';

const address = z.string().min(1).max(2048);
const addresses = z.array(address).max(50);
const text = z.string().trim().min(1).max(200);

/** What the operator registers, under the names of RFC 7591. Null takes a field back. */
export const integrationFields = {
  client_name: text.meta({ description: 'Shown to people', example: 'Harbour Forum' }),
  client_uri: address.nullish().meta({ description: 'Home page' }),
  redirect_uris: addresses.nullish().meta({
    description: 'HTTPS callbacks, matched as texts; loopback addresses with any port',
    example: ['https://forum.example/callback'],
  }),
  post_logout_redirect_uris: addresses
    .nullish()
    .meta({ description: 'Where people may come back to after signing out' }),
  backchannel_logout_uri: address.nullish().meta({ description: 'HTTPS address that is told when a session ends' }),
  backchannel_logout_session_required: z.boolean().nullish(),
  token_endpoint_auth_method: z
    .enum(['none', 'client_secret_post', 'client_secret_basic', 'private_key_jwt'])
    .nullish()
    .meta({ description: 'client_secret_post when left out' }),
  jwks: z.looseObject({}).nullish().meta({ description: 'Public keys, for private_key_jwt' }),
  jwks_uri: address.nullish().meta({ description: 'Where the public keys are, instead of jwks' }),
  scope: z.string().max(2000).nullish().meta({ description: 'The scopes it may ever ask for; all when left out' }),
  id_token_signed_response_alg: z.enum(['RS256', 'ES256']).nullish(),
  require_pkce: z
    .boolean()
    .nullish()
    .meta({ description: 'False lets a confidential client do without PKCE; it then needs a nonce with openid' }),
  require_nonce: z.boolean().nullish().meta({
    description:
      'False lets a client that does without PKCE do without a nonce, too, as OpenID Connect Core allows; do not',
  }),
  resources: addresses.nullish().meta({
    description: 'APIs that it serves: tokens may be meant for them, and it may introspect those',
    example: ['https://api.forum.example/'],
  }),
} as const;

/** The fields after parsing; a field that is absent or null is left out. */
export type IntegrationFields = { readonly [Name in keyof typeof integrationFields]?: unknown };

/**
 * The metadata of an integration. Throws `invalid_client_metadata` and `invalid_redirect_uri`.
 * @see RFC 7591 §2, RFC 9700 §2.1, §2.1.1
 */
export function integrationMetadata(given: IntegrationFields, origins: readonly string[]): ClientMetadata {
  const json = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined));
  const fields = json as Partial<ClientMetadata>;
  const { redirect_uris = [], resources = [], token_endpoint_auth_method: method = 'client_secret_post' } = fields;
  checkRedirects(redirect_uris);
  if (!(fields.post_logout_redirect_uris ?? []).every(isCallback))
    throw wrong('post_logout_redirect_uris', 'https or loopback addresses without fragment, userinfo or wildcard');
  for (const field of ['backchannel_logout_uri', 'client_uri'] as const)
    if (fields[field] !== undefined && !isHttps(fields[field])) throw wrong(field, 'an https address without fragment');
  if (!resources.every((each) => isResource(each, origins)))
    throw wrong('resources', 'addresses without fragment or query that are not those of the school');
  if (redirect_uris.length === 0 && resources.length === 0)
    throw new Problem('invalid_redirect_uri', 'An integration has redirect_uris, or resources, or both');
  if (method === 'none' && resources.length > 0) throw wrong('token_endpoint_auth_method', 'a real one for resources');
  if (method === 'none' && fields.require_pkce === false) throw wrong('require_pkce', 'true for a public client');
  if (fields.require_nonce === false && fields.require_pkce !== false)
    throw wrong('require_nonce', 'true where PKCE is required');
  const { jwks: _keys, jwks_uri: _address, scope, ...rest } = fields;
  return {
    ...rest,
    application_type: 'web',
    redirect_uris: [...redirect_uris],
    token_endpoint_auth_method: method,
    ...keysFor(method, json),
    grant_types: redirect_uris.length === 0 ? [] : ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...readScope(scope),
    id_token_signed_response_alg: fields.id_token_signed_response_alg ?? 'RS256',
  };
}

function checkRedirects(uris: readonly string[]): void {
  if (!uris.every(isCallback))
    throw new Problem(
      'invalid_redirect_uri',
      'Every redirect URI must be an https or a loopback address, without fragment, userinfo or wildcard',
    );
}

/** An https address as a URL parser writes it, so that everybody reads the same in it. */
const isHttps = (uri: string): boolean =>
  uri.startsWith('https://') &&
  !/[#*@\\]/.test(uri) &&
  URL.canParse(uri) &&
  [uri, `${uri}/`].includes(new URL(uri).href);

const isCallback = (uri: string): boolean => isLoopbackRedirect(uri) || isHttps(uri);

/** What lies at or below an origin of the school is its own. @see RFC 8707 §2 */
const isResource = (uri: string, origins: readonly string[]): boolean =>
  isCallback(uri) && !uri.includes('?') && origins.every((origin) => uri !== origin && !uri.startsWith(`${origin}/`));

function keysFor(method: ClientMetadata['token_endpoint_auth_method'], json: Readonly<Record<string, unknown>>) {
  if (method === 'private_key_jwt') return publicJwks(json);
  if (json['jwks'] !== undefined || json['jwks_uri'] !== undefined)
    throw wrong('token_endpoint_auth_method', 'private_key_jwt where there are keys');
  return {};
}

function readScope(scope: string | undefined): { readonly scope?: string } {
  const names = (scope ?? '').split(' ').filter((name) => name !== '');
  if (!names.every(isScope)) throw wrong('scope', 'scope names of this service with single spaces between');
  return names.length === 0 ? {} : { scope: [...new Set(names)].join(' ') };
}
