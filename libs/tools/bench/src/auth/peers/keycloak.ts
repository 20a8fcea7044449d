import { Person, call, freePort } from '@lyceum/testkit';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Authority, type EndpointPaths, connections } from '../authority.ts';
import { authorizationRequest, registration } from '../registered-client.ts';
import { owner, prepareRealm, realm } from './keycloak-realm.ts';
import { installedPeer, servers } from './installed.ts';
import { isAnswered, startPeer } from '../../measuring/peer-program.ts';

const protocol = `/realms/${realm}/protocol/openid-connect`;
const paths: EndpointPaths = {
  authorize: `${protocol}/auth`,
  token: `${protocol}/token`,
  introspect: `${protocol}/token/introspect`,
  userinfo: `${protocol}/userinfo`,
  register: `/realms/${realm}/clients-registrations/openid-connect`,
};

/** As the other peer has it. */
const redirectUri = 'https://client.test/callback';

/** Keycloak as its script starts it, on an H2 database in a file, furnished. */
export async function openKeycloak(): Promise<Authority> {
  const engine = installedPeer('keycloak');
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-keycloak-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const { origin, usage, stop: end } = await started(engine, folder);
    const stop = () => end().then(remove);
    try {
      const admit = await prepareRealm(origin);
      const client = await registered(origin);
      await admit(client.client_id);
      const people = Array.from({ length: connections }, () => signedIn(origin, client.client_id));
      const cookies = await Promise.all(people);
      return new Authority({ origin, paths, usage, headers: {}, client, cookies, stop });
    } catch (error) {
      await end();
      throw error;
    }
  } catch (error) {
    await remove();
    throw error;
  }
}

async function started(engine: string, folder: string) {
  const { administrator, start, database } = servers.keycloak;
  await copyFile(join(engine, 'empty.mv.db'), join(folder, 'keycloak.mv.db'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const program = await startPeer({
    name: 'keycloak',
    command: join(engine, 'bin/kc.sh'),
    args: [...start, `--http-port=${port}`, `--db-url=jdbc:h2:file:${folder}/keycloak;${database}`],
    env: { KC_BOOTSTRAP_ADMIN_USERNAME: administrator, KC_BOOTSTRAP_ADMIN_PASSWORD: administrator },
    folder,
    isReady: () => isAnswered(`${origin}/realms/master`),
  });
  return { origin, ...program };
}

async function registered(origin: string) {
  const { status, body } = await call(`${origin}${paths.register}`, { json: registration(redirectUri, 'ES256') });
  if (status !== 201) throw new Error(`Keycloak's registration answered ${status}: ${JSON.stringify(body)}`);
  const { client_id, client_secret } = body as { client_id: string; client_secret: string };
  return { client_id, client_secret, redirectUri };
}

/** One session for each connection: it keeps the tokens of a session in one row, which all would write. */
async function signedIn(origin: string, client_id: string): Promise<string> {
  const person = new Person();
  const { query } = authorizationRequest({ client_id, redirectUri });
  const page = await person.visit(`${origin}${paths.authorize}?${query}`);
  const landed = await person.submit(page, owner);
  if (!landed.left) throw new Error(`the sign-in at Keycloak led nowhere: ${landed.status}`);
  return person.cookie;
}
