import { grantTypes, isScope } from '@lyceum/contracts';
import type { ClientMetadata } from '../client.events.ts';
import { type Json, choice, readTexts, withoutNulls, wrong } from '../metadata/metadata-fields.ts';
import { publicJwks } from '../metadata/public-jwks.ts';
import { isLoopbackRedirect } from '../redirect-uri.ts';

const mostRedirects = 20;

/**
 * Reads a metadata document. It is written for many servers, so what this one does not know is left out; what would be
 * unsafe is refused. Throws `invalid_client_metadata`.
 * @see draft-ietf-oauth-client-id-metadata-document-02 §4, §8.1
 */
export function readDocumentMetadata(id: string, given: object): ClientMetadata {
  const json = withoutNulls(given as Json);
  if (json['client_id'] !== id) throw wrong('client_id', 'exactly the address of the document');
  for (const field of ['client_secret', 'client_secret_expires_at'])
    if (json[field] !== undefined) throw wrong(field, 'left out: nothing in a public document is secret');
  const { origin } = new URL(id);
  return {
    ...readTexts(json),
    application_type: 'web',
    redirect_uris: readRedirects(json['redirect_uris'], origin),
    ...readReturns(json['post_logout_redirect_uris'], origin),
    ...readAuthMethod(json),
    grant_types: readGrantTypes(json['grant_types']),
    response_types: readResponseTypes(json['response_types']),
    ...readScope(json['scope']),
    id_token_signed_response_alg: json['id_token_signed_response_alg'] === 'ES256' ? 'ES256' : 'RS256',
  };
}

const list = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined;

/** On the person's own machine, or where the document itself comes from. */
const isOwnRedirect = (uri: string, origin: string): boolean =>
  isLoopbackRedirect(uri) ||
  (uri.startsWith(`${origin}/`) &&
    !/[#*@\\]/.test(uri) &&
    URL.canParse(uri) &&
    new URL(uri).href === uri &&
    new URL(uri).origin === origin);

function readRedirects(value: unknown, origin: string): string[] {
  const uris = list(value)?.filter((uri) => isOwnRedirect(uri, origin)) ?? [];
  if (uris.length === 0 || uris.length > mostRedirects)
    throw wrong('redirect_uris', `a list of loopback addresses and addresses at ${origin}, at most ${mostRedirects}`);
  return uris;
}

function readReturns(value: unknown, origin: string): Pick<ClientMetadata, 'post_logout_redirect_uris'> {
  const uris = list(value)?.filter((uri) => isOwnRedirect(uri, origin)) ?? [];
  return uris.length === 0 ? {} : { post_logout_redirect_uris: uris.slice(0, mostRedirects) };
}

type Authentication = Pick<ClientMetadata, 'token_endpoint_auth_method' | 'jwks' | 'jwks_uri'>;

/** No secret can be shared here: a client is public or signs. @see draft-ietf-oauth-client-id-metadata-document-02 §4 */
function readAuthMethod(json: Json): Authentication {
  const method = choice(json, 'token_endpoint_auth_method', ['none', 'private_key_jwt'] as const, 'none');
  return { token_endpoint_auth_method: method, ...(method === 'none' ? {} : publicJwks(json)) };
}

function readGrantTypes(value: unknown): ClientMetadata['grant_types'] {
  if (value === undefined) return [...grantTypes];
  const named = list(value) ?? [];
  if (!named.includes('authorization_code')) throw wrong('grant_types', 'a list with authorization_code');
  return grantTypes.filter((each) => named.includes(each));
}

function readResponseTypes(value: unknown): ClientMetadata['response_types'] {
  if (value !== undefined && !list(value)?.includes('code')) throw wrong('response_types', 'a list with code');
  return ['code'];
}

function readScope(value: unknown): { readonly scope?: string } {
  const names = typeof value === 'string' ? [...new Set(value.split(' '))].filter(isScope) : [];
  return names.length === 0 ? {} : { scope: names.join(' ') };
}
