import { type Role, isScope, roles } from '@lyceum/contracts';
import type { JWTPayload } from 'jose';
import { InvalidToken } from './invalid-token.ts';
import type { Principal } from './principal.ts';

const text = (claims: JWTPayload, name: string): string => {
  const value = claims[name];
  if (typeof value !== 'string' || value === '') throw malformed(name);
  return value;
};

const malformed = (claim: string): InvalidToken =>
  new InvalidToken('The access token is malformed', `claim ${claim} is missing or malformed`);

const seconds = (claims: JWTPayload, name: 'exp' | 'iat'): number => {
  const value = claims[name];
  if (typeof value !== 'number' || !Number.isFinite(value)) throw malformed(name);
  return value;
};

const audienceOf = ({ aud }: JWTPayload): readonly string[] => {
  const all = typeof aud === 'string' ? [aud] : aud;
  if (!Array.isArray(all) || all.length === 0 || all.some((each) => typeof each !== 'string' || each === ''))
    throw malformed('aud');
  return all;
};

const roleOf = (claims: JWTPayload): Role => {
  const role = roles.find((each) => each === claims['role']);
  if (!role) throw malformed('role');
  return role;
};

/**
 * Reads a principal from the claims of a verified access token. Every claim must be there and well-formed; scopes that
 * the table does not know are dropped. Throws `InvalidToken`.
 * @see RFC 9068 §2.2
 */
export function principalOf(claims: JWTPayload): Principal {
  const scope = claims['scope'];
  if (typeof scope !== 'string') throw malformed('scope');
  return {
    school: text(claims, 'school'),
    subject: text(claims, 'sub'),
    client: text(claims, 'client_id'),
    scopes: new Set(scope.split(' ').filter(isScope)),
    role: roleOf(claims),
    grant: text(claims, 'gid'),
    jti: text(claims, 'jti'),
    issued: seconds(claims, 'iat'),
    expires: seconds(claims, 'exp'),
    audience: audienceOf(claims),
  };
}
