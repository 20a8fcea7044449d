import { oauthPaths } from '@lyceum/contracts';
import { interactionPaths } from '../local-paths.ts';
import { ownPages } from './account-pages.ts';
import { descriptions } from './descriptions.ts';
import { logoutPages } from './logout.ts';
import {
  authorizationFields,
  clientFields,
  components,
  failures,
  form,
  json,
  object,
  page,
  registrationFields,
  text,
  unavailableToWrite,
} from './parts.ts';
import { recoveryPages } from './recovery.ts';
import { registrationManagement } from './registration.ts';
import { signUpPages } from './sign-up.ts';

type Json = Record<string, unknown>;

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const empty = (description: string): Json => ({ description });
const open = { tags: ['oauth'], security: [] };

const authorizing: Json = {
  200: page('The sign-in page or the consent page'),
  303: empty('Back to the client, with code, state and iss, or with error, error_description, state and iss'),
  400: page('The client or its redirect URI is wrong, so nothing is redirected'),
  429: page('Too many requests; wait as Retry-After says'),
};

const formPosted: Json = {
  303: empty('On to the next page, or back to the client'),
  400: page('The form has expired or belongs to another browser'),
  403: page('The form did not come from our page'),
  429: page('Too many requests; wait as Retry-After says'),
};

const pageFields: Json = { interaction: text('As the page gave it'), csrf: text('As the page gave it') };

const tokenBody: Json = {
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema: ref('TokenInQuestion') } },
};

const userinfo = (operationId: string, more: Json = {}): Json => ({
  operationId,
  tags: ['oauth'],
  summary: 'Claims about the person (OpenID Connect)',
  security: [{ oauth2: ['openid'] }, { openIdConnect: ['openid'] }],
  ...more,
  responses: {
    200: json('The claims that the scopes open', ref('Userinfo')),
    ...failures({ 400: 'invalid_request', 401: 'invalid_token', 403: 'insufficient_scope' }),
  },
});

const tokenForm = form(
  {
    grant_type: { type: 'string', enum: ['authorization_code', 'refresh_token'] },
    ...clientFields,
    code: text('With authorization_code'),
    redirect_uri: text('With authorization_code: the same as at the authorization endpoint'),
    code_verifier: text('With authorization_code', { minLength: 43, maxLength: 128 }),
    refresh_token: text('With refresh_token'),
    scope: text('With refresh_token: fewer scopes than were granted'),
    resource: text('API that the token is for (RFC 8707)', { format: 'uri' }),
  },
  ['grant_type'],
);

const tokenErrors =
  'invalid_request, invalid_grant, invalid_scope, invalid_target, unauthorized_client or unsupported_grant_type';

const paths: Record<string, Json> = {
  [oauthPaths.register]: {
    post: {
      ...open,
      operationId: 'registerClient',
      summary: 'Register a client (RFC 7591)',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: object(registrationFields, ['redirect_uris']) } },
      },
      responses: {
        201: json('The client as it is registered', ref('RegisteredClient')),
        ...failures({
          400: 'invalid_redirect_uri, invalid_client_metadata, invalid_software_statement or invalid_request',
          ...unavailableToWrite,
        }),
      },
    },
  },
  [oauthPaths.authorize]: {
    get: {
      ...open,
      operationId: 'authorize',
      summary: 'Send a person here to sign in and agree (RFC 6749, OpenID Connect)',
      parameters: Object.entries(authorizationFields).map(([name, field]) => ({ name, in: 'query', ...field })),
      responses: authorizing,
    },
    post: {
      ...open,
      operationId: 'authorizeByForm',
      summary: 'The same with the parameters in a form',
      requestBody: form(
        Object.fromEntries(Object.entries(authorizationFields).map(([name, { schema }]) => [name, schema])),
        Object.keys(authorizationFields).filter((name) => authorizationFields[name]?.required),
      ),
      responses: authorizing,
    },
  },
  [interactionPaths.signIn]: {
    post: {
      ...open,
      operationId: 'signIn',
      summary: 'The form of the sign-in page',
      requestBody: form({ ...pageFields, email: text('E-mail address'), password: text('Password') }),
      responses: {
        ...formPosted,
        401: page('E-mail address or password is not right'),
        429: page('Too many attempts; wait as Retry-After says'),
        503: page('Too many people are signing in'),
      },
    },
  },
  [interactionPaths.consent]: {
    post: {
      ...open,
      operationId: 'decideConsent',
      summary: 'The form of the consent page',
      requestBody: form({
        ...pageFields,
        scope: { type: 'array', items: { type: 'string' }, description: 'The ticked scopes' },
        decision: { type: 'string', enum: ['approve', 'deny'] },
      }),
      responses: formPosted,
    },
  },
  ...registrationManagement,
  ...ownPages,
  ...recoveryPages,
  ...signUpPages,
  ...logoutPages,
  [oauthPaths.token]: {
    post: {
      ...open,
      operationId: 'issueTokens',
      summary: 'Exchange a code or a refresh token for tokens (RFC 6749)',
      requestBody: tokenForm,
      responses: {
        200: json('The tokens', ref('Tokens')),
        ...failures({ 400: tokenErrors, 401: 'invalid_client', ...unavailableToWrite }),
      },
    },
  },
  [oauthPaths.userinfo]: {
    get: userinfo('readUserinfo'),
    post: userinfo('readUserinfoByForm', {
      requestBody: { ...form({ access_token: text('Instead of the Authorization header') }), required: false },
    }),
  },
  [oauthPaths.revoke]: {
    post: {
      ...open,
      operationId: 'revokeToken',
      summary: 'Revoke a token (RFC 7009)',
      requestBody: tokenBody,
      responses: {
        200: empty('Revoked, or there was nothing to revoke'),
        ...failures({ 400: 'invalid_request', 401: 'invalid_client', ...unavailableToWrite }),
      },
    },
  },
  [oauthPaths.introspect]: {
    post: {
      ...open,
      operationId: 'introspectToken',
      summary: 'Ask whether a token of the client, or one meant for its API, counts (RFC 7662)',
      requestBody: tokenBody,
      responses: {
        200: json('What there is to say', ref('Introspection')),
        ...failures({ 400: 'invalid_request', 401: 'invalid_client' }),
      },
    },
  },
  [oauthPaths.jwks]: {
    get: {
      ...open,
      operationId: 'readSigningKeys',
      summary: 'Public keys of the school (RFC 7517)',
      responses: {
        200: json(
          'The keys',
          object({ keys: { type: 'array', items: { type: 'object' } } }),
          'application/jwk-set+json',
        ),
        304: { description: 'The keys are still those of the ETag in If-None-Match' },
        503: json('temporarily_unavailable', ref('OAuthError')),
      },
    },
  },
};

const isOperation = (part: unknown): part is Json => typeof (part as Json | null)?.['operationId'] === 'string';

/** The operations with what each is for. */
const described = (operations: Record<string, Json>): Json =>
  Object.fromEntries(
    Object.entries(operations).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [
          method,
          isOperation(operation)
            ? { description: descriptions[String(operation['operationId'])], ...operation }
            : operation,
        ]),
      ),
    ]),
  );

/** The OpenAPI document of the endpoints and pages. */
export const openapi = {
  openapi: '3.0.3',
  info: { title: 'Lyceum: auth', version: '0.1.0' },
  tags: [{ name: 'oauth', description: 'Registration, sign-in and tokens' }],
  paths: described(paths),
  components: { schemas: components },
};

/** The OpenAPI document of the whole service: the account API with the endpoints and pages. */
export function describeAuth(api: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const components = api['components'] as Json;
  return {
    ...api,
    ...openapi,
    tags: [...openapi.tags, ...(api['tags'] as Json[])],
    paths: { ...openapi.paths, ...(api['paths'] as Json) },
    components: {
      ...components,
      ...openapi.components,
      schemas: { ...(components['schemas'] as Json), ...openapi.components.schemas },
    },
  };
}
