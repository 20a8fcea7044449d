import { call, freePort } from '@lyceum/testkit';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Authority, type EndpointPaths, connections } from '../authority.ts';
import { registration } from '../registered-client.ts';
import { codeOfHydra, hydraScope, nobodysPages } from './hydra-sign-in.ts';
import { installedPeer } from './installed.ts';
import { isAnswered, startPeer } from '../../measuring/peer-program.ts';
import { usageTogether } from '../../measuring/process-usage.ts';
import { startCountedPostgres } from './postgres.ts';

/** As the other peers have it. */
const redirectUri = 'https://client.test/callback';

/** Ory Hydra on a PostgreSQL of its own, furnished. Its own users put pages for sign-in and consent in front: here both are accepted at once. */
export async function openHydra(): Promise<Authority> {
  const program = join(installedPeer('hydra'), 'hydra');
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-hydra-'));
  const closing = [() => rm(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const close of closing.toReversed()) await close();
  };
  try {
    const database = await startCountedPostgres();
    closing.push(database.stop);
    const hydra = await started(program, folder, database.url);
    closing.push(hydra.stop);
    const { origin, admin } = hydra;
    await makeKeys(admin);
    const client = await registered(origin);
    const code = () => codeOfHydra(origin, admin, client);
    const usage = async () => usageTogether(await Promise.all([hydra.usage(), database.usage()]));
    return new Authority({ origin, paths: pathsOf(admin), usage, headers: {}, client, cookies: [], code, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Introspection is at the port of administrators, who need no authentication. */
const pathsOf = (admin: string): EndpointPaths => ({
  authorize: '/oauth2/auth',
  token: '/oauth2/token',
  introspect: `${admin}/admin/oauth2/introspect`,
  userinfo: '/userinfo',
  register: '/oauth2/register',
});

async function started(program: string, folder: string, database: string) {
  const [port, adminPort] = [await freePort(), await freePort()];
  const [origin, admin] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${adminPort}`];
  const file = join(folder, 'hydra.json');
  await writeFile(file, JSON.stringify(configuration(origin, port, adminPort, database)));
  await promisify(execFile)(program, ['migrate', 'sql', '-e', '--yes', '--config', file], { cwd: folder });
  const args = ['serve', 'all', '--dev', '--config', file];
  const isReady = () => isAnswered(`${admin}/health/ready`);
  const running = await startPeer({ name: 'hydra', command: program, args, folder, isReady });
  return { origin, admin, ...running };
}

const configuration = (origin: string, port: number, adminPort: number, database: string) => ({
  // A request that waits for a second connection while it holds one stands still where all are held.
  dsn: `${database}&max_conns=${4 * connections}`,
  serve: { public: { host: '127.0.0.1', port }, admin: { host: '127.0.0.1', port: adminPort } },
  urls: { self: { issuer: origin }, login: `${nobodysPages}/login`, consent: `${nobodysPages}/consent` },
  secrets: { system: ['a secret of this measurement'] },
  strategies: { access_token: 'jwt' },
  // Secrets that nobody can guess need no more than one: by default it takes 25,000 at each request.
  oauth2: { pkce: { enforced: true }, hashers: { algorithm: 'pbkdf2', pbkdf2: { iterations: 1 } } },
  oidc: { dynamic_client_registration: { enabled: true } },
  ttl: { access_token: '10m', id_token: '10m', auth_code: '10m' },
  log: { level: 'error' },
  sqa: { opt_out: true },
});

/** The newest key of a set is used: without these, it makes keys for RS256. */
async function makeKeys(admin: string): Promise<void> {
  for (const set of ['hydra.openid.id-token', 'hydra.jwt.access-token']) {
    const json = { alg: 'ES256', use: 'sig', kid: `measured-${set}` };
    const { status, body } = await call(`${admin}/admin/keys/${set}`, { json });
    if (status !== 201) throw new Error(`Hydra made no key: ${JSON.stringify(body)}`);
  }
}

async function registered(origin: string) {
  const json = { ...registration(redirectUri, 'ES256'), scope: hydraScope };
  const { status, body } = await call(`${origin}/oauth2/register`, { json });
  if (status !== 201) throw new Error(`Hydra's registration answered ${status}: ${JSON.stringify(body)}`);
  const { client_id, client_secret } = body as { client_id: string; client_secret: string };
  return { client_id, client_secret, redirectUri };
}
