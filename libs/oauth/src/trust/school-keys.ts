import type { SigningAlg } from '@lyceum/contracts';
import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { TrustedKey } from './trust.ts';

/** The public keys of all schools. */
export interface SchoolKeys {
  /** A key is made when it is first asked for, and the same from then on. */
  find(school: string, kid: string): TrustedKey | undefined;
  has(school: string, kid: string): boolean;
  /** Does nothing when the key is there, or was retired: a repeated announcement does not bring a key back. */
  publish(school: string, kid: string, alg: string, jwk: Readonly<Record<string, unknown>>): void;
  retire(school: string, kid: string): void;
  clear(): void;
}

type Kept = TrustedKey | 'retired' | { readonly alg: string; readonly jwk: Readonly<Record<string, unknown>> };

/** Keys in memory: as they were published until they are needed. */
export function schoolKeys(): SchoolKeys {
  const kept = new Map<string, Kept>();
  const nameOf = (school: string, kid: string): string => `${school}\n${kid}`;

  return {
    find(school, kid) {
      const name = nameOf(school, kid);
      const found = kept.get(name);
      if (found === undefined || found === 'retired' || 'key' in found) return found === 'retired' ? undefined : found;
      const made = { kid, alg: found.alg, key: publicKey(found.alg, found.jwk) };
      kept.set(name, made);
      return made;
    },
    has: (school, kid) => kept.has(nameOf(school, kid)),
    publish(school, kid, alg, jwk) {
      const name = nameOf(school, kid);
      if (!kept.has(name)) kept.set(name, { alg, jwk });
    },
    retire: (school, kid) => void kept.set(nameOf(school, kid), 'retired'),
    clear: () => kept.clear(),
  };
}

const fits: Readonly<Record<string, (key: KeyObject) => boolean>> = {
  ES256: (key) => key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1',
  RS256: (key) => key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048,
  EdDSA: (key) => key.asymmetricKeyType === 'ed25519',
} satisfies Record<SigningAlg | 'EdDSA', (key: KeyObject) => boolean>;

/**
 * A key is used with the one algorithm that it was published for. Throws when it cannot serve that.
 * @see RFC 7518 §3.3, §3.4, RFC 8037 §3.1
 */
export function publicKey(alg: string, jwk: Readonly<Record<string, unknown>>): KeyObject {
  const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  if (!Object.hasOwn(fits, alg) || !fits[alg]?.(key))
    throw new Error(`this ${key.asymmetricKeyType} key cannot serve ${alg}`);
  return key;
}
