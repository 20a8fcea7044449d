import {
  type Calling,
  type Command,
  type Flags,
  type Given,
  type Outcome,
  listOf,
  numberOf,
  textOf,
} from '../command.ts';
import type { Json } from '../operator-client.ts';
import { schoolFlag, schoolOf } from '../school-of.ts';

const path = '/internal/integrations';
const subject = 'client id';
const school: Flags = { school: schoolFlag };
const once = 'The secret is shown this once. Keep it where only the client can read it.';

const list = (value: string, about: string) => ({ type: 'string', multiple: true, value, about }) as const;
const text = (value: string, about: string) => ({ type: 'string', value, about }) as const;

const fields: Flags = {
  name: text('name', 'What people see at consent'),
  'redirect-uri': list('https://…', 'HTTPS callback; may be repeated'),
  'post-logout-redirect-uri': list('https://…', 'Where people may come back to after signing out'),
  'backchannel-logout-uri': text('https://…', 'What is told when a session ends'),
  method: text('method', 'client_secret_post (default), client_secret_basic, private_key_jwt or none'),
  'jwks-uri': text('https://…', 'Public keys, for private_key_jwt'),
  scope: text('"a b"', 'The scopes that it may ever ask for'),
  resource: list('https://…', 'An API that it serves; may be repeated'),
  'no-pkce': { type: 'boolean', about: 'It may leave PKCE out; for confidential clients only' },
};

/** The fields of RFC 7591 that the flags name. */
function metadata(flags: Given): Json {
  const given = {
    client_name: textOf(flags, 'name'),
    redirect_uris: listOf(flags, 'redirect-uri'),
    post_logout_redirect_uris: listOf(flags, 'post-logout-redirect-uri'),
    backchannel_logout_uri: textOf(flags, 'backchannel-logout-uri'),
    token_endpoint_auth_method: textOf(flags, 'method'),
    jwks_uri: textOf(flags, 'jwks-uri'),
    scope: textOf(flags, 'scope'),
    resources: listOf(flags, 'resource'),
    require_pkce: flags['no-pkce'] === true ? false : undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const withSecret = (data: Json): Outcome => ({
  data,
  ...(data['client_secret'] === undefined ? {} : { notes: [once] }),
});

/** The address of one client, with or without something to do to it. */
const at = async ({ client, flags, subject: id }: Calling, act = ''): Promise<string> =>
  `${path}/${encodeURIComponent(id)}${act}?school=${encodeURIComponent(await schoolOf(client, flags))}`;

const acting = (verb: string, about: string): Command => ({
  name: `integrations ${verb}`,
  about,
  subject,
  flags: school,
  run: async (calling) => ({ data: await calling.client.send('POST', await at(calling, `/${verb}`)) }),
});

/** Clients that the operator arranges. */
export const integrationCommands: readonly Command[] = [
  {
    name: 'integrations list',
    about: 'List the integrations of a school',
    flags: school,
    run: async ({ client, flags }) => ({
      data: await client.all(`${path}?school=${encodeURIComponent(await schoolOf(client, flags))}`),
      columns: ['client_id', 'client_name', 'token_endpoint_auth_method', 'disabled', 'redirect_uris', 'resources'],
    }),
  },
  {
    name: 'integrations create',
    about: 'Register a client with HTTPS callbacks, or with an API of its own',
    flags: { ...school, ...fields, name: { ...fields['name']!, required: true } },
    async run({ client, flags }) {
      const json = { school: await schoolOf(client, flags), ...metadata(flags) };
      return withSecret(await client.send('POST', path, json));
    },
  },
  {
    name: 'integrations show',
    about: 'Show a client',
    subject,
    flags: school,
    run: async (calling) => ({ data: await calling.client.send('GET', await at(calling)) }),
  },
  {
    name: 'integrations change',
    about: 'Change what is registered of an integration; what is not named stays',
    subject,
    flags: { ...school, ...fields },
    run: async (calling) => withSecret(await calling.client.send('PATCH', await at(calling), metadata(calling.flags))),
  },
  acting('disable', 'Void all tokens of a client at once, and give it no more'),
  acting('enable', 'Let a client work again'),
  {
    name: 'integrations rotate',
    about: 'Give an integration a new secret',
    subject,
    flags: {
      ...school,
      overlap: text('seconds', 'How long the secret before stays good; a day when left out, 0 ends it now'),
    },
    async run(calling) {
      const overlap = numberOf(calling.flags, 'overlap');
      const json = overlap === undefined ? {} : { overlap_seconds: overlap };
      return withSecret(await calling.client.send('POST', await at(calling, '/rotate-secret'), json));
    },
  },
  {
    name: 'integrations delete',
    about: 'Delete a client and all that it was granted',
    subject,
    flags: school,
    async run(calling) {
      await calling.client.send('DELETE', await at(calling));
      return { data: { client_id: calling.subject, deleted: true } };
    },
  },
];
