import type { ClientMetadata } from '../client.events.ts';
import { type Json, wrong } from './metadata-fields.ts';

/** Members that make a key private. @see RFC 7518 §6.2.2, §6.3.2, §6.4 */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

const mostKeys = 20;

type Keys = Pick<ClientMetadata, 'jwks' | 'jwks_uri'>;

/** A set of public keys. Throws `invalid_client_metadata`. @see RFC 7517 §5, RFC 7591 §2 */
export function readJwks(value: unknown): NonNullable<ClientMetadata['jwks']> {
  const keys = (value as { readonly keys?: unknown } | null)?.keys;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > mostKeys || !keys.every(isPublic))
    throw wrong('jwks', `a set of 1 to ${mostKeys} public keys`);
  return { keys: keys as Record<string, unknown>[] };
}

const isPublic = (key: unknown): boolean =>
  typeof key === 'object' &&
  key !== null &&
  ['RSA', 'EC'].includes(String((key as Json)['kty'])) &&
  !privateMembers.some((member) => Object.hasOwn(key, member));

/** The keys of a client that signs: in its metadata, or at an https address; not both. @see RFC 7591 §2 */
export function publicJwks(json: Json): Keys {
  const { jwks, jwks_uri: uri } = json;
  if ((jwks === undefined) === (uri === undefined)) throw wrong('jwks or jwks_uri', 'there, and not both');
  if (jwks !== undefined) return { jwks: readJwks(jwks) };
  if (typeof uri !== 'string' || uri.length > 2048 || !uri.startsWith('https://') || !URL.canParse(uri))
    throw wrong('jwks_uri', 'an https address');
  return { jwks_uri: uri };
}
