import {
  Client,
  type System,
  type Told,
  call,
  demoHistory,
  leadTo,
  questionsOf,
  startSystem,
  toldOf,
} from '@lyceum/testkit';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { live } from './release-life.ts';
import { buildOf, root, run } from './release-build.ts';

/**
 * `npm run release-data`: what the last landed release leaves in a data folder, and what it told of it, into
 * `libs/tools/crashtest/release-data`. The folder holds the demo schools with their history, and is made for this: its keys
 * and passwords are of nothing else. `RELEASE_BUILD` is the root of a build of that release that is there already.
 */
const folder = join(root, 'libs/tools/crashtest');
const revision = (await readFile(join(folder, 'last-release.txt'), 'utf8')).trim();
const given = process.env['RELEASE_BUILD'];
if (given) await refuseOther(given);
const build = given ? { folder: given, remove: () => Promise.resolve() } : await buildOf(revision);
/** Its address, whatever port it listens on: grants are for an address. */
const baseUrl = 'http://lantern.localhost';
const made = await mkdtemp(join(tmpdir(), 'lyceum-release-data-'));
const dataDir = join(made, 'data');
try {
  await mkdir(dataDir);
  const env = { DEMO_HISTORY: 'true', BASE_URL: baseUrl };
  const system = await startSystem({ dataDir, build: build.folder, env });
  leadTo(new URL(baseUrl).host, system.port);
  const release = await record({ ...system, baseUrl }).finally(() => system.stop());
  await keep({ revision, ...release });
} finally {
  await rm(made, { recursive: true, force: true });
  await build.remove();
}

async function refuseOther(tree: string): Promise<void> {
  const there = (await run('git', ['rev-parse', 'HEAD'], tree)).trim();
  if (there !== revision) throw new Error(`${tree} is ${there}, and last-release.txt names ${revision}`);
}

/** What the release tells the owner and a student, and what they hold of it. */
async function record(system: System) {
  const { password } = system;
  const { scopes_supported: scopes } = (await call(`${baseUrl}/.well-known/openid-configuration`)).body;
  // A release that serves events writes its history while it serves; one without has written it before.
  if ((await call(`${baseUrl}/openapi.json`)).body.paths['/api/events']) await demoHistory(system);
  const scope = ['openid', 'account:write', ...scopes.filter((each: string) => each.endsWith(':read'))].join(' ');
  const staff = 'courses:read digital_products:write storage:write account:write';
  const tokenOf = async (who: string, wanted: string) => {
    const client = await Client.register(baseUrl);
    return { client, tokens: await client.tokens(`${who}@lantern.test`, password, wanted) };
  };
  const [owner, student] = [await tokenOf('owner', staff), await tokenOf('student', scope)];
  await live(system, owner.tokens.access_token, student.tokens.access_token);
  const told: Record<string, Told> = {};
  const holders: Record<string, { client: string; refresh_token: string }> = {};
  for (const who of ['owner', 'student']) {
    const { client, tokens } = await tokenOf(who, scope);
    told[`${who}@lantern.test`] = await settled(tokens.access_token);
    holders[`${who}@lantern.test`] = { client: client.id, refresh_token: tokens.refresh_token };
  }
  const { client, tokens } = await tokenOf('owner', scope);
  await client.revoke(tokens.refresh_token);
  const revoked = { client: client.id, refresh_token: tokens.refresh_token };
  return { made_at: new Date().toISOString(), base_url: baseUrl, password, scope, holders, revoked, told };
}

/** What is told, once it is the same as some seconds before: read models follow what is written. */
async function settled(token: string): Promise<Told> {
  for (let before: Told | undefined; ; await sleep(10_000)) {
    const told = await toldOf(baseUrl, token, await questionsOf(baseUrl, token));
    if (isDeepStrictEqual(told, before)) return told;
    before = told;
  }
}

async function keep({ told, ...release }: Awaited<ReturnType<typeof record>> & { readonly revision: string }) {
  const target = join(folder, 'release-data');
  await mkdir(target, { recursive: true });
  await run('tar', ['--exclude=outbox', '-cf', 'data.tar', 'data'], made);
  const packed = { 'data.tar.br': await readFile(join(made, 'data.tar')), 'told.json.br': JSON.stringify(told) };
  for (const [name, content] of Object.entries(packed)) {
    const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
    await writeFile(join(target, name), brotliCompressSync(content, { params }));
    process.stdout.write(`${name} ${(await stat(join(target, name))).size} bytes\n`);
  }
  await writeFile(join(target, 'release.json'), `${JSON.stringify(release, null, 2)}\n`);
}
