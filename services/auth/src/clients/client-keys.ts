import { type CryptoKey, type JWSHeaderParameters, createLocalJWKSet, errors } from 'jose';
import type { RemoteJson } from '../egress/remote-json.ts';
import type { ClientMetadata } from './client.events.ts';
import { readJwks } from './public-jwks.ts';

/** Finds the public key that a client's signature names. Throws a jose error, or a refusal of the keys' address. */
export type KeyFinder = (header: JWSHeaderParameters) => Promise<CryptoKey>;

/**
 * The keys of a client: those in its metadata, or those at its address. A key that is not among them is looked for once
 * more, because clients rotate their keys.
 */
export function keysOf({ jwks, jwks_uri: uri }: ClientMetadata, remote: Pick<RemoteJson, 'get' | 'renew'>): KeyFinder {
  const among = (keys: unknown, header: JWSHeaderParameters) =>
    createLocalJWKSet(readJwks(keys) as Parameters<typeof createLocalJWKSet>[0])(header);
  if (uri === undefined) return (header) => among(jwks, header);
  return async (header) => {
    try {
      return await among(await remote.get(uri), header);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return among(await remote.renew(uri), header);
    }
  };
}
