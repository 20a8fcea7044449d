import { type CryptoKey, type JWSHeaderParameters, createLocalJWKSet, errors } from 'jose';
import type { ClientMetadata } from '../../domain/clients/client.events.ts';
import { readJwks } from '../../domain/clients/metadata/public-jwks.ts';
import { type RemoteJson, RemoteRefused } from '../../egress/remote-json.ts';

/** Finds the public key that a client's signature names. Throws a jose error, or a refusal of the keys' address. */
export type KeyFinder = (header: JWSHeaderParameters) => Promise<CryptoKey>;

/** The client and the school that keys are looked for. */
interface KeyAsker {
  readonly school: string;
  /** Whether the client is trusted so far that its address of keys is asked; those that are kept are used anyway. */
  mayFetch(): Promise<boolean>;
}

/**
 * The keys of a client: those in its metadata, or those at its address. A key that is not among them is looked for once
 * more, because clients rotate their keys.
 */
export function keysOf(
  { jwks, jwks_uri: uri }: ClientMetadata,
  remote: Pick<RemoteJson, 'get' | 'renew' | 'kept'>,
  { school, mayFetch }: KeyAsker,
): KeyFinder {
  const among = (keys: unknown, header: JWSHeaderParameters) =>
    createLocalJWKSet(readJwks(keys) as Parameters<typeof createLocalJWKSet>[0])(header);
  if (uri === undefined) return (header) => among(jwks, header);
  const fetched = async (how: 'get' | 'renew') => {
    if (!(await mayFetch())) throw new RemoteRefused('is of a client that has no access');
    return remote[how](uri, { school, isTrusted: true });
  };
  return async (header) => {
    try {
      return await among(await (remote.kept(uri) ?? fetched('get')), header);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return among(await fetched('renew'), header);
    }
  };
}
