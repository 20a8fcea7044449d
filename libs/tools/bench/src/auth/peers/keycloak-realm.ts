import { call, post } from '@lyceum/testkit';
import { servers } from './installed.ts';

/** The realm that is measured. */
export const realm = 'measured';

/** What the only person signs in with. */
export const owner = { username: 'owner', password: 'a password of this measurement' } as const;

const seconds = 600;

/** ES256 and lifetimes as ours, refresh tokens that rotate and are refused when they come again. */
const asMeasured = {
  realm,
  enabled: true,
  sslRequired: 'none',
  defaultSignatureAlgorithm: 'ES256',
  revokeRefreshToken: true,
  refreshTokenMaxReuse: 0,
  accessTokenLifespan: seconds,
  accessCodeLifespan: seconds,
  users: [
    {
      username: owner.username,
      enabled: true,
      email: 'owner@school.test',
      emailVerified: true,
      firstName: 'The',
      lastName: 'Owner',
      credentials: [{ type: 'password', value: owner.password, temporary: false }],
    },
  ],
};

/** What keeps strangers from registering clients, or many of them; and the question to people whether they agree. */
const hindering = new Set(['trusted-hosts', 'max-clients', 'consent-required']);
const policies = 'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy';

/**
 * Makes the realm, its person and the scope that clients ask for, and opens the registration of clients. Resolves to what lets a
 * client introspect the tokens that are given with that scope: it has to be in their audience.
 */
export async function prepareRealm(origin: string): Promise<(client: string) => Promise<unknown>> {
  const master = `${origin}/admin/realms`;
  const measured = `${master}/${realm}`;
  await asked(master, { token: await administering(origin), json: asMeasured });
  // The rights in the new realm are in tokens from now on.
  const token = await administering(origin);
  await asked(`${measured}/client-scopes`, { token, json: scopeOfCourses });
  const scopes = await asked(`${measured}/client-scopes`, { token });
  const { id } = (scopes as unknown as Named[]).find(({ name }) => name === scopeOfCourses.name)!;
  await asked(`${measured}/default-default-client-scopes/${id}`, { token, method: 'PUT' });
  const components = await asked(`${measured}/components?type=${policies}`, { token });
  for (const policy of (components as unknown as Component[]).filter(({ providerId }) => hindering.has(providerId)))
    await asked(`${measured}/components/${policy.id}`, { token, method: 'DELETE' });
  const mappers = `${measured}/client-scopes/${id}/protocol-mappers/models`;
  return (client) => asked(mappers, { token, json: audienceOf(client) });
}

const audienceOf = (client: string) => ({
  name: 'audience',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-audience-mapper',
  config: { 'included.client.audience': client, 'access.token.claim': 'true' },
});

interface Named {
  readonly id: string;
  readonly name: string;
}

interface Component {
  readonly id: string;
  readonly providerId: string;
}

const scopeOfCourses = {
  name: 'courses:read',
  protocol: 'openid-connect',
  attributes: { 'include.in.token.scope': 'true' },
};

async function administering(origin: string): Promise<string> {
  const { administrator } = servers.keycloak;
  const form = { grant_type: 'password', client_id: 'admin-cli', username: administrator, password: administrator };
  const { status, body } = await post(`${origin}/realms/master/protocol/openid-connect/token`, form);
  if (status !== 200) throw new Error(`the administrator of Keycloak got no token: ${JSON.stringify(body)}`);
  return body.access_token as string;
}

async function asked(url: string, options: Parameters<typeof call>[1]): Promise<Record<string, unknown>> {
  const { status, body } = await call(url, options);
  if (status >= 300) throw new Error(`${url} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
