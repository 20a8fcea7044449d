/** What the OpenID Foundation's suite is given: static clients of a school, and what its browser does on our pages. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';

const alias = 'lyceum';
const code = { server_metadata: 'discovery', client_registration: 'static_client' };

/** The certification plans that this server can be held to, and the long plan with keys instead of secrets. */
export const plans = [
  { name: 'oidcc-config-certification-test-plan', variant: {}, clients: 'secrets' },
  { name: 'oidcc-basic-certification-test-plan', variant: code, clients: 'secrets' },
  {
    name: 'oidcc-rp-initiated-logout-certification-test-plan',
    variant: { response_type: 'code', client_registration: 'static_client' },
    clients: 'secrets',
  },
  {
    name: 'oidcc-backchannel-rp-initiated-logout-certification-test-plan',
    variant: { response_type: 'code', client_registration: 'static_client' },
    clients: 'told',
  },
  {
    name: 'oidcc-test-plan',
    variant: {
      client_auth_type: 'private_key_jwt',
      response_type: 'code',
      response_mode: 'default',
      client_registration: 'static_client',
    },
    clients: 'keys',
  },
];

/** Asks the operator listener. */
async function operate({ operator }, path, json, status) {
  const response = await fetch(`${operator}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env['OPERATOR_TOKEN']}`, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  const body = await response.json();
  if (response.status !== status)
    throw new Error(`the operator listener answered ${response.status}: ${body.error_description}`);
  return body;
}

/** What has to happen in the middle of a module, which the suite leaves to a person. */
export const preparedBy = (options) => ({
  'oidcc-server-rotate-keys': () => operate(options, '/internal/signing-keys/rotate', { school: options.school }, 200),
});

/** A new pair for a client: what the school is told, and what the suite signs with. */
function newKeys() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const more = { kid: 'oidf', use: 'sig', alg: 'RS256' };
  return [publicKey, privateKey].map((key) => ({ keys: [{ ...key.export({ format: 'jwk' }), ...more }] }));
}

/** One static client of the plans. The suite adds a query to see that redirect URIs match as texts. */
async function register(options, method, more = {}) {
  const own = `${options.suite}/test/a/${alias}`;
  const [jwks, privateJwks] = method === 'private_key_jwt' ? newKeys() : [];
  const metadata = {
    school: options.school,
    client_name: `OpenID conformance (${method})`,
    redirect_uris: [`${own}/callback`, `${own}/callback?dummy1=lorem&dummy2=ipsum`],
    post_logout_redirect_uris: [`${own}/post_logout_redirect`],
    token_endpoint_auth_method: method,
    ...(jwks === undefined ? {} : { jwks }),
    // One module of the Basic plan sends neither; no client of a real person should be let.
    require_pkce: false,
    require_nonce: false,
    ...more,
  };
  const { client_id, client_secret } = await operate(options, '/internal/integrations', metadata, 201);
  return privateJwks === undefined ? { client_id, client_secret } : { client_id, jwks: privateJwks };
}

const wait = (text, placeholder) => ['wait', 'xpath', '//*', 10, text, placeholder];

/** What the suite's browser does on our pages, which need no JavaScript. */
function signingIn({ issuer, email }, placeholder) {
  const pages = `${issuer}/oauth/*`;
  const signIn = [
    ...(placeholder ? [wait('E-mail', 'update-image-placeholder-optional')] : []),
    ['text', 'name', 'email', email, 'optional'],
    ['text', 'name', 'password', process.env['PERSON_PASSWORD'], 'optional'],
    ['click', 'css', 'button.primary'],
  ];
  const tasks = [
    { task: 'Sign in', optional: true, match: pages, commands: signIn },
    { task: 'Agree', optional: true, match: pages, commands: [['click', 'css', 'button[value=approve]']] },
    {
      task: 'Verify complete',
      match: `*/test/a/${alias}/callback*`,
      commands: [['wait', 'id', 'submission_complete', 10]],
    },
  ];
  return { match: `${issuer}/oauth/authorize*`, tasks };
}

/** Signing out: agree where asked, then see the page that says so, or come back to the suite. */
function signingOut({ issuer }) {
  const pages = `${issuer}/oauth/logout*`;
  const agree = [['click', 'css', 'button[value=yes]', 'optional']];
  const see = [wait('You are signed out', 'update-image-placeholder')];
  const tasks = [
    { task: 'Sign out', optional: true, match: pages, commands: agree },
    { task: 'See that it is done', optional: true, match: pages, commands: see },
    { task: 'Come back', optional: true, match: `*/test/a/${alias}/post_logout_redirect*` },
  ];
  return { match: pages, tasks };
}

/** An error page that a person has to see: the suite keeps a picture of each. */
function refusal({ issuer }, path, text) {
  const match = `${issuer}${path}*`;
  return {
    match,
    tasks: [{ task: 'See the error page', match, commands: [wait(text, 'update-image-placeholder')] }],
  };
}

/** What the browser does in modules that end otherwise than with an answer to the client. */
function overridesOf(options) {
  const [entering, leaving] = [signingIn(options, false), signingOut(options)];
  const again = { browser: [signingIn(options, true), leaving] };
  const refused = { browser: [refusal(options, '/oauth/authorize', 'address to return to'), leaving] };
  const staying = (text) => ({ browser: [entering, refusal(options, '/oauth/logout', text)] });
  const logout = 'oidcc-rp-initiated-logout';
  return {
    'oidcc-prompt-login': again,
    'oidcc-max-age-1': again,
    'oidcc-ensure-registered-redirect-uri': refused,
    'oidcc-ensure-redirect-uri-in-authorization-request': refused,
    'oidcc-redirect-uri-query-added': refused,
    // Request objects are not read, so the address in one is not there.
    'oidcc-ensure-request-object-with-redirect-uri': refused,
    [`${logout}-bad-post-logout-redirect-uri`]: staying('address to return to'),
    [`${logout}-query-added-to-post-logout-redirect-uri`]: staying('address to return to'),
    // Without a hint nobody has said whose address it is.
    [`${logout}-no-id-token-hint`]: staying('address to return to'),
    [`${logout}-modified-id-token-hint`]: staying('makes no sense'),
    [`${logout}-bad-id-token-hint`]: staying('makes no sense'),
  };
}

/** The configurations of the plans, each with clients of its own kind. */
async function configure(options) {
  const of = (method, more) => register(options, method, more);
  // Only the back-channel plan expects to be told of sessions that end.
  const told = { backchannel_logout_uri: `${options.suite}/test/a/${alias}/backchannel_logout` };
  const common = {
    alias,
    description: 'Lyceum',
    server: { discoveryUrl: `${options.issuer}/.well-known/openid-configuration` },
    browser: [signingIn(options, false), signingOut(options)],
    override: overridesOf(options),
  };
  return {
    secrets: {
      ...common,
      client: await of('client_secret_basic'),
      client2: await of('client_secret_basic'),
      client_secret_post: await of('client_secret_post'),
    },
    told: { ...common, client: await of('client_secret_basic', told) },
    keys: { ...common, client: await of('private_key_jwt'), client2: await of('private_key_jwt') },
  };
}

/** Registers the clients and writes a file for each kind of them, as the suite's own runner takes it. Gives what is in them. */
export async function writePlans(options) {
  if (!options.issuer.startsWith('https://')) console.warn('the suite only accepts an issuer with https');
  const configurations = await configure(options);
  for (const [clients, configuration] of Object.entries(configurations))
    writeFileSync(fileOf(options, clients), `${JSON.stringify(configuration, null, 2)}\n`, { mode: 0o600 });
  console.log(`${options.out}-*.json are written; they hold the secrets of new clients.`);
  return configurations;
}

/** The file of one kind of clients. */
export const fileOf = ({ out }, clients) => `${out}-${clients}.json`;

/** The plan as the suite's own runner takes it on its command line. */
export const planArgument = ({ name, variant }) =>
  `${name}${Object.entries(variant)
    .map(([key, value]) => `[${key}=${value}]`)
    .join('')}`;
