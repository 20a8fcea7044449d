import { grantTypes } from '@lyceum/contracts';

/** A part of the document. */
export type Json = Readonly<Record<string, unknown>>;

/** An object schema. */
export interface ObjectSchema extends Json {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

/** A text with what it means. */
export const text = (description: string, more: Json = {}): Json => ({ type: 'string', description, ...more });

/** A reference to one of the components. */
export const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const secret = { format: 'password' };

/** An object with these properties. */
export const object = (properties: Readonly<Record<string, Json>>, required: readonly string[] = []): ObjectSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
});

/** Client authentication in the body. */
const clientFields: Readonly<Record<string, Json>> = {
  client_id: text('Id of the client, or the address of its metadata document; not needed beside other credentials'),
  client_secret: text('Secret of a confidential client (client_secret_post)', secret),
  client_assertion_type: text('urn:ietf:params:oauth:client-assertion-type:jwt-bearer, with private_key_jwt'),
  client_assertion: text('JWT that the client signed (private_key_jwt, RFC 7523)'),
};

const registrationFields: Readonly<Record<string, Json>> = {
  redirect_uris: {
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    maxItems: 20,
    description: 'Loopback addresses: http to 127.0.0.1, [::1] or localhost, any port',
    example: ['http://127.0.0.1:49152/callback'],
  },
  post_logout_redirect_uris: {
    type: 'array',
    items: { type: 'string' },
    maxItems: 20,
    description: 'Loopback addresses to which people may come back after signing out',
  },
  client_name: text('Name that people see at consent', { maxLength: 200 }),
  client_uri: text('Home page of the client', { format: 'uri' }),
  software_id: text('Names the software across its installations'),
  software_version: text('Version of the software'),
  application_type: { type: 'string', enum: ['native', 'web'], default: 'native' },
  token_endpoint_auth_method: { type: 'string', enum: ['none', 'client_secret_post'], default: 'none' },
  grant_types: { type: 'array', items: { type: 'string', enum: ['authorization_code', 'refresh_token'] } },
  response_types: { type: 'array', items: { type: 'string', enum: ['code'] } },
  scope: text('The scopes it may ever ask for, with spaces between; all when left out'),
  id_token_signed_response_alg: { type: 'string', enum: ['RS256', 'ES256'], default: 'RS256' },
};

/** The parameters of the authorization endpoint. */
export const authorizationRequest = object(
  {
    response_type: { type: 'string', enum: ['code'] },
    client_id: text('Id of the client'),
    redirect_uri: text('A registered address; a loopback one may name any port'),
    code_challenge: text('BASE64URL(SHA-256(code_verifier))', { minLength: 43, maxLength: 43 }),
    code_challenge_method: { type: 'string', enum: ['S256'] },
    scope: text('Scope names with spaces between'),
    state: text('Comes back as it was'),
    nonce: text('Comes back in the ID token'),
    resource: text('API that the token is for (RFC 8707)', { format: 'uri' }),
    prompt: text('none, or some of login, consent, select_account'),
    max_age: { type: 'integer', minimum: 0, description: 'Seconds since the last sign-in' },
    login_hint: text('E-mail address to begin with'),
    id_token_hint: text('ID token, even expired, of the person to be signed in'),
    ui_locales: text('Languages of the pages, most wanted first'),
  },
  ['response_type', 'client_id', 'redirect_uri', 'code_challenge', 'code_challenge_method'],
);

/** What a client registers, and what it replaces its registration with. */
export const registration = object(registrationFields, ['redirect_uris']);
export const replacement = object({ client_id: text('Id of the client'), ...registrationFields }, [
  'client_id',
  'redirect_uris',
]);

/** The form of a token request. */
export const tokenRequest = object(
  {
    grant_type: { type: 'string', enum: [...grantTypes] },
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

const seconds = (description: string): Json => ({ type: 'integer', description });

/** Schemas that several endpoints share. */
export const components: Readonly<Record<string, ObjectSchema>> = {
  LinkForm: object({ csrf: text('As the page gave it'), token: text('As the link in the mail has it') }, [
    'csrf',
    'token',
  ]),
  TokenInQuestion: object(
    { token: text('Access or refresh token'), token_type_hint: text('Ignored'), ...clientFields },
    ['token'],
  ),
  OAuthError: object(
    {
      error: text('Error code', { example: 'invalid_grant' }),
      error_description: text('For the developer of the client'),
      request_id: text('Names the request in the log of the server'),
    },
    ['error', 'error_description'],
  ),
  RegisteredClient: object(
    {
      client_id: text('Id of the client'),
      client_id_issued_at: seconds('Seconds since the epoch'),
      client_secret: text('Shown once, to confidential clients', secret),
      client_secret_expires_at: seconds('0 = never'),
      registration_access_token: text('Manages this registration (RFC 7592)', secret),
      registration_client_uri: text('Where this registration is managed', { format: 'uri' }),
      ...registrationFields,
    },
    ['client_id', 'client_id_issued_at', 'redirect_uris', 'token_endpoint_auth_method', 'grant_types'],
  ),
  Tokens: object(
    {
      access_token: text('JWT (RFC 9068), for the Authorization header'),
      token_type: { type: 'string', enum: ['Bearer'] },
      expires_in: seconds('Life of the access token in seconds'),
      refresh_token: text('Good once; each use gives the next one'),
      scope: text('What was granted, with spaces between'),
      id_token: text('JWT about the sign-in, with the scope openid'),
    },
    ['access_token', 'token_type', 'expires_in', 'scope'],
  ),
  Introspection: object(
    {
      active: { type: 'boolean', description: 'Whether the token counts now' },
      scope: text('Scopes'),
      client_id: text('Its client'),
      username: text('E-mail address, with the scope email'),
      token_type: text('Bearer'),
      exp: seconds('When it expires'),
      iat: seconds('When it was issued'),
      sub: text('The person'),
      aud: text('The API it is for'),
      iss: text('The school'),
      jti: text('Its id'),
      auth_time: seconds('When the person signed in'),
      acr: text('0'),
      sid: text('The session'),
    },
    ['active'],
  ),
  Userinfo: object(
    {
      sub: text('Id of the person at this school'),
      name: text('With the scope profile'),
      locale: text('With the scope profile, where the person has chosen a language (BCP 47)'),
      updated_at: seconds('With the scope profile'),
      email: text('With the scope email', { format: 'email' }),
      email_verified: { type: 'boolean', description: 'With the scope email' },
    },
    ['sub'],
  ),
};
