import { wellKnownPaths } from '@lyceum/contracts';
import { isObject } from '@lyceum/kernel';
import { z } from 'zod';
import { successBody } from '../api-result.ts';
import { mcpScopes } from '../../../discovery/metadata/mcp-scopes.ts';
import { signInHint } from '../sign-in-hint.ts';
import { reading, tool } from '../tool.ts';

const auth = z.strictObject({
  sign_in: z.literal('optional'),
  issuer: z.string(),
  protected_resource_metadata: z.string(),
  authorization_server_metadata: z.string(),
  scopes: z.array(z.string()),
  walkthrough: z.string(),
});

/** The addresses of the legal texts that there are. */
const policiesIn = (legal: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isObject(legal) ? legal : {}).flatMap(([name, url]) =>
      typeof url === 'string' ? [[name, url] as const] : [],
    ),
  );

/** What the school is, and how one signs in. */
export const getSchool = tool({
  name: 'get_school',
  title: 'About the school',
  description: 'Name, language, currency and links of this school, and how to sign in. Signing in is optional.',
  input: z.strictObject({}),
  output: z.strictObject({
    name: z.string(),
    base_url: z.string(),
    languages: z.array(z.string()),
    currencies: z.array(z.string()),
    timezone: z.string(),
    sign_up: z.string(),
    policies: z.record(z.string(), z.string()),
    links: z.record(z.string(), z.string()),
    auth,
  }),
  scopes: ['school:read'],
  annotations: reading,
  async run(_, { api, caller: { school } }) {
    const about = successBody(await api('/api/school'), 'The school');
    const { baseUrl } = school;
    return {
      data: {
        name: String(about['name']),
        base_url: baseUrl,
        languages: [String(about['locale'])],
        currencies: [String(about['currency'])],
        timezone: String(about['timezone']),
        sign_up: String(about['sign_up']),
        policies: policiesIn(about['legal']),
        links: { api: `${baseUrl}/openapi.json`, prices: `${baseUrl}/pricing.md`, index: `${baseUrl}/llms.txt` },
        auth: {
          sign_in: 'optional',
          issuer: baseUrl,
          protected_resource_metadata: baseUrl + wellKnownPaths.mcpProtectedResource,
          authorization_server_metadata: baseUrl + wellKnownPaths.authorizationServer,
          scopes: [...mcpScopes],
          walkthrough: `${baseUrl}/auth.md`,
        },
      },
    };
  },
});

/** Who is signed in. Without a token the answer says how to sign in, for hosts that listen to nothing else. */
export const getMyAccount = tool({
  name: 'get_my_account',
  title: 'My account',
  description: 'Who is signed in: name, role and address. Without signing in it answers how to sign in.',
  input: z.strictObject({}),
  output: z.strictObject({ account: z.looseObject({}), scopes: z.array(z.string()) }),
  scopes: ['account:read'],
  isPersonal: true,
  annotations: reading,
  async run(_, { api, caller }) {
    const { principal } = caller;
    if (!principal) return signInHint(caller, 'Sign in to see your account', ['account:read']);
    const account = successBody(await api('/api/account'), 'The account');
    return { data: { account, scopes: [...principal.scopes] } };
  },
});
