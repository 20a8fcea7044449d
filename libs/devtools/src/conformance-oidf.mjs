// npm run conformance:oidf: how to run the OpenID Foundation suite against a school, and what of it this machine lacks.
// With `-- --school <id>` it also registers the static clients of the Config and Basic plans at the operator listener and
// writes the plans' configuration, `oidf-plan.json`, which holds their secrets. docs/conformance.md tells the rest.
//   --issuer https://school.example   the school's address as the suite sees it
//   --suite https://localhost.emobix.co.uk:8443   --operator http://127.0.0.1:8081   --out oidf-plan.json
//   --email owner@lantern.test; OPERATOR_TOKEN and PERSON_PASSWORD come from the environment
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const alias = 'lyceum';
const plans = [
  'oidcc-config-certification-test-plan',
  'oidcc-basic-certification-test-plan[server_metadata=discovery][client_registration=static_client]',
  'oidcc-rp-initiated-logout-certification-test-plan[response_type=code][client_registration=static_client]',
  'oidcc-backchannel-rp-initiated-logout-certification-test-plan[response_type=code][client_registration=static_client]',
];

const versionOf = (name, ...args) => {
  const { status, stdout, stderr } = spawnSync(name, args, { encoding: 'utf8' });
  return status === 0 ? `${stdout}${stderr}`.trim().split('\n')[0] : undefined;
};

/** What the suite needs, whether it is here, and what to do if it is not. */
function needs() {
  const java = versionOf('java', '-version');
  const major = Number(/"(\d+)/.exec(java ?? '')?.[1] ?? 0);
  const has = (name, version, remedy) => [name, version !== undefined, version ?? remedy];
  return [
    ['Java 21', major >= 21, java ?? 'absent'],
    has('Maven', versionOf('mvn', '--version'), 'absent'),
    has(
      'MongoDB',
      versionOf('mongod', '--version') ?? versionOf('docker', 'version', '-f', '{{.Server.Version}}'),
      'absent, and no Docker',
    ),
    has('Python 3', versionOf('python3', '--version'), 'absent'),
    has('a TLS front', versionOf('nginx', '-v') ?? versionOf('caddy', 'version'), 'neither nginx nor caddy'),
  ];
}

function printGuide() {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/conformance.md'), 'utf8');
  console.log(page.slice(page.indexOf('## The OpenID Foundation suite')).trim());
  console.log('\nThis machine:');
  for (const [name, isHere, what] of needs())
    console.log(`  ${isHere ? 'ok     ' : 'missing'}  ${name.padEnd(12)} ${what}`);
}

/** One static client of the plans. The suite adds a query to see that redirect URIs match as texts. */
async function register({ operator, school, suite }, method) {
  const callback = `${suite}/test/a/${alias}/callback`;
  const response = await fetch(`${operator}/internal/integrations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env['OPERATOR_TOKEN']}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      school,
      client_name: `OpenID conformance (${method})`,
      redirect_uris: [callback, `${callback}?dummy1=lorem&dummy2=ipsum`],
      post_logout_redirect_uris: [`${suite}/test/a/${alias}/post_logout_redirect`],
      backchannel_logout_uri: `${suite}/test/a/${alias}/backchannel_logout`,
      token_endpoint_auth_method: method,
      // One module of the Basic plan sends neither; no client of a real person should be let.
      require_pkce: false,
      require_nonce: false,
    }),
  });
  const body = await response.json();
  if (response.status !== 201)
    throw new Error(`the operator listener answered ${response.status}: ${body.error_description}`);
  const { client_id, client_secret } = body;
  return { client_id, client_secret };
}

const wait = (text, placeholder) => ['wait', 'xpath', '//*', 10, text, placeholder];

/** What the suite's browser does on our pages, which need no JavaScript. */
function browserOf({ issuer, email }, placeholder) {
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
  const logout = [
    {
      task: 'Sign out',
      optional: true,
      match: `${issuer}/oauth/logout*`,
      commands: [['click', 'css', 'button[value=yes]']],
    },
    {
      task: 'See that it is done',
      optional: true,
      match: `${issuer}/oauth/logout*`,
      commands: [['wait', 'xpath', '//*', 10, 'signed out', 'update-image-placeholder-optional']],
    },
    {
      task: 'Verify complete',
      optional: true,
      match: `*/test/a/${alias}/post_logout_redirect*`,
      commands: [['wait', 'id', 'submission_complete', 10]],
    },
  ];
  return [
    { match: `${issuer}/oauth/authorize*`, tasks },
    { match: `${issuer}/oauth/logout*`, tasks: logout },
  ];
}

/** The error pages that a person has to see: the suite keeps a picture of each. */
const errorPage = ({ issuer }) => [
  {
    match: `${issuer}/oauth/authorize*`,
    tasks: [
      {
        task: 'See the error page',
        match: `${issuer}/oauth/authorize*`,
        commands: [wait('address to return to', 'update-image-placeholder')],
      },
    ],
  },
];

async function writePlan(options) {
  if (!options.issuer.startsWith('https://')) console.warn('the suite only accepts an issuer with https');
  const [client, client2, post] = [
    await register(options, 'client_secret_basic'),
    await register(options, 'client_secret_basic'),
    await register(options, 'client_secret_post'),
  ];
  const again = { browser: browserOf(options, true) };
  const refused = { browser: errorPage(options) };
  const plan = {
    alias,
    description: 'Lyceum',
    server: { discoveryUrl: `${options.issuer}/.well-known/openid-configuration` },
    client,
    client2,
    client_secret_post: post,
    browser: browserOf(options, false),
    override: {
      'oidcc-prompt-login': again,
      'oidcc-max-age-1': again,
      'oidcc-ensure-registered-redirect-uri': refused,
      'oidcc-ensure-redirect-uri-in-authorization-request': refused,
      // Request objects are not read, so the address in one is not there.
      'oidcc-ensure-request-object-with-redirect-uri': refused,
    },
  };
  writeFileSync(options.out, `${JSON.stringify(plan, null, 2)}\n`, { mode: 0o600 });
  console.log(`${options.out} is written; it holds the secrets of three new clients. In the folder of the suite:\n`);
  console.log(`  scripts/run-test-plan.py ${plans.map((each) => `'${each}' ${options.out}`).join(' ')}`);
}

const { values } = parseArgs({
  options: {
    school: { type: 'string' },
    issuer: { type: 'string', default: 'https://school.example' },
    suite: { type: 'string', default: 'https://localhost.emobix.co.uk:8443' },
    operator: { type: 'string', default: 'http://127.0.0.1:8081' },
    email: { type: 'string', default: 'owner@lantern.test' },
    out: { type: 'string', default: 'oidf-plan.json' },
  },
});
if (values.school === undefined) printGuide();
else if (!process.env['OPERATOR_TOKEN'] || !process.env['PERSON_PASSWORD'])
  throw new Error('set OPERATOR_TOKEN and PERSON_PASSWORD');
else await writePlan(values);
