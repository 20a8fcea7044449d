import { portOf } from '@lyceum/testkit';
import type { webcrypto } from 'node:crypto';
import { createServer } from 'node:http';
import { oauthPaths } from '@lyceum/contracts';
// @ts-expect-error -- the package brings no types
import { Provider } from 'oidc-provider';
import { memoryAdapter } from './peer-adapter.ts';
import { redisAdapter } from './redis-peer-adapter.ts';

/** The process that is measured: node-oidc-provider at our paths. Arguments: `ES256` or `default`, and the URL of a Redis server. */
const [tokens, redisUrl] = process.argv.slice(2);

const algorithms = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  RS256: {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  },
} as const;

async function privateJwk(alg: keyof typeof algorithms) {
  const { subtle } = globalThis.crypto;
  const { privateKey } = (await subtle.generateKey(algorithms[alg], true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const { key_ops: _, ext: __, ...jwk } = await subtle.exportKey('jwk', privateKey);
  return { ...jwk, alg, use: 'sig', kid: alg };
}

const resources = (url: string) => ({
  enabled: true,
  defaultResource: () => url,
  useGrantedResource: () => true,
  getResourceServerInfo: () => ({
    scope: 'courses:read',
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'ES256' } },
  }),
});

/** Everything is agreed to at once, so that no page is between a signed-in person and a code. */
async function agreed({ oidc }: { oidc: never }): Promise<unknown> {
  const { client, session, provider, params } = oidc as {
    client: { clientId: string };
    session: { accountId: string; grantIdFor(client: string): string | undefined };
    provider: { Grant: { new (about: object): AgreedGrant; find(id: string): Promise<unknown> } };
    params: { scope: string; resource?: string };
  };
  const known = session.grantIdFor(client.clientId);
  if (known !== undefined) return provider.Grant.find(known);
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope(params.scope);
  if (params.resource !== undefined) grant.addResourceScope(params.resource, 'courses:read');
  await grant.save();
  return grant;
}

interface AgreedGrant {
  addOIDCScope(scope: string): void;
  addResourceScope(resource: string, scope: string): void;
  save(): Promise<string>;
}

const configuration = async (url: string) => ({
  routes: {
    authorization: oauthPaths.authorize,
    token: oauthPaths.token,
    userinfo: oauthPaths.userinfo,
    registration: oauthPaths.register,
    revocation: oauthPaths.revoke,
    introspection: oauthPaths.introspect,
    jwks: oauthPaths.jwks,
  },
  adapter: redisUrl === undefined ? memoryAdapter() : await redisAdapter(redisUrl),
  jwks: { keys: await Promise.all([privateJwk('RS256'), privateJwk('ES256')]) },
  cookies: { keys: ['a key of this measurement'] },
  scopes: ['openid', 'profile', 'email', 'courses:read'],
  claims: { openid: ['sub'], profile: ['name', 'updated_at'], email: ['email', 'email_verified'] },
  responseTypes: ['code'],
  pkce: { required: () => true },
  clientAuthMethods: ['none', 'client_secret_post', 'client_secret_basic'],
  issueRefreshToken: () => true,
  rotateRefreshToken: () => true,
  // As long as ours.
  ttl: { AccessToken: 600, AuthorizationCode: 600, IdToken: 600, RefreshToken: 1_209_600, Session: 1_209_600 },
  findAccount: (_: unknown, sub: string) => ({
    accountId: sub,
    claims: () => ({ sub, name: 'The owner', updated_at: 1, email: 'owner@school.test', email_verified: true }),
  }),
  loadExistingGrant: agreed,
  features: {
    registration: { enabled: true },
    revocation: { enabled: true },
    introspection: { enabled: true },
    ...(tokens === 'ES256' ? { resourceIndicators: resources(url) } : {}),
  },
});

const server = createServer();
server.keepAliveTimeout = 65_000;
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
const url = `http://127.0.0.1:${portOf(server)}`;
server.on('request', new Provider(url, await configuration(url)).callback());
process.send!(url);
process.on('disconnect', () => process.exit());
