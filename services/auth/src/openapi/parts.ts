type Json = Record<string, unknown>;

/** A text field with what it means. */
export const text = (description: string, more: Json = {}): Json => ({ type: 'string', description, ...more });

/** An object with these properties. */
export const object = (properties: Json, required: readonly string[] = []): Json => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required: [...required] } : {}),
});

/** A JSON answer. */
export const json = (description: string, schema: Json, type = 'application/json'): Json => ({
  description,
  content: { [type]: { schema } },
});

/** A page for a person. */
export const page = (description: string): Json => ({
  description,
  content: { 'text/html': { schema: { type: 'string' } } },
});

/** A form body with these fields. */
export const form = (properties: Json, required: readonly string[] = []): Json => ({
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema: object(properties, required) } },
});

/** Error answers of an endpoint for programs, by status. */
export const failures = (told: Readonly<Record<number, string>>): Json =>
  Object.fromEntries(
    Object.entries({
      413: 'payload_too_large: the body exceeds 64 KiB',
      429: 'rate_limited: wait as Retry-After says; RateLimit tells how much is left',
      503: 'temporarily_unavailable',
      ...told,
    }).map(([status, description]) => [status, json(description, { $ref: '#/components/schemas/OAuthError' })]),
  );

/** What an endpoint that writes answers when the log is away. */
export const unavailableToWrite: Readonly<Record<number, string>> = {
  503: 'temporarily_unavailable or outcome_unknown: it may have been done, so look before you send it again',
};

/** Client authentication in the body. */
export const clientFields: Json = {
  client_id: text('Id of the client, or the address of its metadata document; not needed beside other credentials'),
  client_secret: text('Secret of a confidential client (client_secret_post)', { format: 'password' }),
  client_assertion_type: text('urn:ietf:params:oauth:client-assertion-type:jwt-bearer, with private_key_jwt'),
  client_assertion: text('JWT that the client signed (private_key_jwt, RFC 7523)'),
};

/** Fields of a registration. */
export const registrationFields: Json = {
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

/** Parameters of the authorization endpoint, and whether they are needed. */
export const authorizationFields: Readonly<Record<string, { readonly required: boolean; readonly schema: Json }>> = {
  response_type: { required: true, schema: { type: 'string', enum: ['code'] } },
  client_id: { required: true, schema: text('Id of the client') },
  redirect_uri: { required: true, schema: text('A registered address; a loopback one may name any port') },
  code_challenge: {
    required: true,
    schema: text('BASE64URL(SHA-256(code_verifier))', { minLength: 43, maxLength: 43 }),
  },
  code_challenge_method: { required: true, schema: { type: 'string', enum: ['S256'] } },
  scope: { required: false, schema: text('Scope names with spaces between') },
  state: { required: false, schema: text('Comes back as it was') },
  nonce: { required: false, schema: text('Comes back in the ID token') },
  resource: { required: false, schema: text('API that the token is for (RFC 8707)', { format: 'uri' }) },
  prompt: { required: false, schema: text('none, or some of login, consent, select_account') },
  max_age: { required: false, schema: { type: 'integer', minimum: 0, description: 'Seconds since the last sign-in' } },
  login_hint: { required: false, schema: text('E-mail address to begin with') },
  id_token_hint: { required: false, schema: text('ID token, even expired, of the person to be signed in') },
  ui_locales: { required: false, schema: text('Languages of the pages, most wanted first') },
};

const seconds = (description: string): Json => ({ type: 'integer', description });

/** Schemas that several endpoints share. */
export const components: Json = {
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
      client_secret: text('Shown once, to confidential clients', { format: 'password' }),
      client_secret_expires_at: seconds('0 = never'),
      registration_access_token: text('Manages this registration (RFC 7592)', { format: 'password' }),
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
