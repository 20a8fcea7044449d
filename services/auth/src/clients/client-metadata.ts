import { clientAuthMethods, grantTypes, isScope } from '@lyceum/contracts';
import { Problem } from '@lyceum/web';
import type { ClientMetadata } from './client.events.ts';
import { isLoopbackRedirect } from './redirect-uri.ts';

type Json = Readonly<Record<string, unknown>>;

const mostRedirects = 20;
const longestText = 200;
const longestUri = 2048;
/** Scopes that clients name out of habit. They mean nothing here and never fail. @see OIDC Core §5.4, §11 */
export const ignoredScopes: readonly string[] = ['offline_access', 'address', 'phone'];

const wrong = (field: string, rule: string) => new Problem('invalid_client_metadata', `${field} must be ${rule}`);

/**
 * Reads the metadata that a client registers with, and fills in what it left out. Unknown members are ignored; null
 * counts as left out.
 * @see RFC 7591 §2, §3.2.2
 */
export function readClientMetadata(given: Json): ClientMetadata {
  const json = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  if (json['software_statement'] !== undefined) throw new Problem('invalid_software_statement');
  const redirect_uris = readRedirects(json['redirect_uris']);
  const scope = readScope(json['scope']);
  return {
    ...readTexts(json),
    application_type: choice(json, 'application_type', ['native', 'web'], 'native'),
    redirect_uris,
    token_endpoint_auth_method: choice(json, 'token_endpoint_auth_method', clientAuthMethods, 'none'),
    grant_types: readGrantTypes(json['grant_types']),
    response_types: readResponseTypes(json['response_types']),
    ...(scope === undefined ? {} : { scope }),
    id_token_signed_response_alg: choice(json, 'id_token_signed_response_alg', ['RS256', 'ES256'], 'RS256'),
  };
}

/** Anyone may register, so only addresses on the person's own machine are taken. @see RFC 8252 §7.3, RFC 7591 §5 */
function readRedirects(value: unknown): string[] {
  const refuse = (why: string) => new Problem('invalid_redirect_uri', why);
  if (!Array.isArray(value) || value.length === 0)
    throw refuse('redirect_uris must be a list of at least one loopback address');
  if (value.length > mostRedirects) throw refuse(`redirect_uris must hold at most ${mostRedirects} addresses`);
  for (const uri of value)
    if (typeof uri !== 'string' || !isLoopbackRedirect(uri))
      throw refuse(
        'Every redirect URI must be a loopback address such as http://127.0.0.1:49152/callback. ' +
          'A client with an HTTPS callback needs a registered integration: ask the operator of the school',
      );
  return value as string[];
}

function choice<T extends string>(json: Json, field: string, allowed: readonly T[], standard: T): T {
  const value = json[field] ?? standard;
  if (!allowed.includes(value as T)) throw wrong(field, `one of ${allowed.join(', ')}`);
  return value as T;
}

function readGrantTypes(value: unknown): ClientMetadata['grant_types'] {
  if (value === undefined) return [...grantTypes];
  const known = (each: unknown) => grantTypes.includes(each as (typeof grantTypes)[number]);
  if (!Array.isArray(value) || !value.every(known) || !value.includes('authorization_code'))
    throw wrong('grant_types', 'a list with authorization_code and, if wanted, refresh_token');
  return [...new Set(value as ClientMetadata['grant_types'])];
}

function readResponseTypes(value: unknown): ClientMetadata['response_types'] {
  if (value !== undefined && !(Array.isArray(value) && value.length === 1 && value[0] === 'code'))
    throw wrong('response_types', 'the list of just code');
  return ['code'];
}

function readScope(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw wrong('scope', 'a text of scope names with single spaces between');
  const names = value.split(' ').filter((name) => name !== '' && !ignoredScopes.includes(name));
  if (!names.every(isScope)) throw wrong('scope', 'scope names of this service with single spaces between');
  return names.length === 0 ? undefined : [...new Set(names)].join(' ');
}

type Texts = Pick<ClientMetadata, 'client_name' | 'client_uri' | 'software_id' | 'software_version'>;

function readTexts(json: Json): Texts {
  const texts: Record<string, string> = {};
  for (const field of ['client_name', 'software_id', 'software_version'] as const) {
    const value = json[field];
    if (value === undefined) continue;
    if (typeof value !== 'string' || value.length > longestText || /\p{Cc}/u.test(value))
      throw wrong(field, `a text of at most ${longestText} characters without control characters`);
    texts[field] = value;
  }
  const uri = json['client_uri'];
  if (uri !== undefined) {
    if (typeof uri !== 'string' || uri.length > longestUri || !/^https?:\/\//i.test(uri) || !URL.canParse(uri))
      throw wrong('client_uri', 'an http or https address');
    texts['client_uri'] = uri;
  }
  return texts;
}
