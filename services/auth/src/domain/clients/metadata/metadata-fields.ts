import { grantTypes, isScope } from '@lyceum/contracts';
import { isOneOf } from '@lyceum/kernel';
import { Problem } from '@lyceum/web';
import type { ClientMetadata } from '../client.events.ts';

/** A JSON object from outside. */
export type Json = Readonly<Record<string, unknown>>;

const longestText = 200;
const longestUri = 2048;

/** Scopes that clients name out of habit. They mean nothing here and never fail. @see OIDC Core §5.4, §11 */
export const ignoredScopes: readonly string[] = ['offline_access', 'address', 'phone'];

/** A field that has an unacceptable value. `rule` continues "must be …". */
export const wrong = (field: string, rule: string): Problem =>
  new Problem('invalid_client_metadata', `${field} must be ${rule}`);

/** The object without members that are null: they count as left out. */
export const withoutNulls = (json: Json): Json =>
  Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));

/** One of the allowed values; the standard one when it is left out. */
export function choice<T extends string>(json: Json, field: string, allowed: readonly T[], standard: T): T {
  const value = json[field] ?? standard;
  if (!isOneOf(allowed, value)) throw wrong(field, `one of ${allowed.join(', ')}`);
  return value;
}

/** Both grant types when left out: a person is not asked again for each token. @see RFC 7591 §2 */
export function readGrantTypes(value: unknown): ClientMetadata['grant_types'] {
  if (value === undefined) return [...grantTypes];
  const known = (each: unknown) => isOneOf(grantTypes, each);
  if (!Array.isArray(value) || !value.every(known) || !value.includes('authorization_code'))
    throw wrong('grant_types', 'a list with authorization_code and, if wanted, refresh_token');
  return [...new Set(value.filter(known))];
}

/** @see RFC 7591 §2 */
export function readResponseTypes(value: unknown): ClientMetadata['response_types'] {
  if (value !== undefined && !(Array.isArray(value) && value.length === 1 && value[0] === 'code'))
    throw wrong('response_types', 'the list of just code');
  return ['code'];
}

/** The scopes as one text; undefined when none is named. */
export function readScope(value: unknown): { readonly scope?: string } {
  if (value === undefined) return {};
  if (typeof value !== 'string') throw wrong('scope', 'a text of scope names with single spaces between');
  const names = value.split(' ').filter((name) => name !== '' && !ignoredScopes.includes(name));
  if (!names.every(isScope)) throw wrong('scope', 'scope names of this service with single spaces between');
  return names.length === 0 ? {} : { scope: [...new Set(names)].join(' ') };
}

type Texts = Pick<ClientMetadata, 'client_name' | 'client_uri' | 'software_id' | 'software_version'>;

/** The texts that people see, marked as unverified. */
export function readTexts(json: Json): Texts {
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
