import { oauthPaths } from '@lyceum/contracts';
import { type Landed, Person } from '@lyceum/testkit';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error -- the package brings no types
import { errors, Provider } from 'oidc-provider';
import { type World, furnish } from './world.ts';

/** A running node-oidc-provider, furnished. */
export interface Peer {
  readonly world: World;
  close(): Promise<void>;
}

/** Set up to promise what we promise, at the same paths. */
const configuration = (url: string) => ({
  routes: {
    authorization: oauthPaths.authorize,
    token: oauthPaths.token,
    userinfo: oauthPaths.userinfo,
    registration: oauthPaths.register,
    revocation: oauthPaths.revoke,
    introspection: oauthPaths.introspect,
    jwks: oauthPaths.jwks,
  },
  scopes: ['openid', 'profile', 'email', 'courses:read'],
  claims: { openid: ['sub'], profile: ['name'], email: ['email'] },
  responseTypes: ['code'],
  pkce: { required: () => true },
  clientAuthMethods: ['none', 'client_secret_post', 'client_secret_basic'],
  issueRefreshToken: () => true,
  rotateRefreshToken: () => true,
  findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, name: 'The owner' }) }),
  features: {
    registration: { enabled: true },
    revocation: { enabled: true },
    introspection: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => undefined,
      useGrantedResource: () => true,
      getResourceServerInfo: (_: unknown, resource: string) => {
        if (!resource.startsWith(url)) throw new errors.InvalidTarget();
        return { scope: 'courses:read', accessTokenFormat: 'opaque' };
      },
    },
  },
});

/** Starts node-oidc-provider on a free port of loopback. */
export async function startPeer(): Promise<Peer> {
  const server: Server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on('request', new Provider(url, configuration(url)).callback());
  const world = await furnish(url, () => new Person(), approve);
  return {
    world,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Its built-in development pages: any name signs in. */
const approve =
  (person: Person) =>
  async (url: URL): Promise<Landed> => {
    const signIn = await person.visit(url);
    if (signIn.left || signIn.status >= 400) return signIn;
    const consent = await person.submit(signIn, { prompt: 'login', login: 'owner', password: 'any' });
    return consent.left ? consent : person.submit(consent, { prompt: 'consent' });
  };
