import { oauthPaths } from '@lyceum/contracts';
import { Person, call, startRedis } from '@lyceum/testkit';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type CountedRedis, startCountedRedis } from './counted-redis.ts';
import { Authority } from './authority.ts';
import { authorizationRequest, registration } from './registered-client.ts';
import { PeerMissing } from '../measuring/case.ts';
import { type Usage, usageOf, usageTogether } from '../measuring/process-usage.ts';

/** A variant of node-oidc-provider: JWT access tokens and ID tokens by ES256, or what it does by default (opaque, RS256). */
export interface PeerVariant {
  readonly tokens: 'ES256' | 'default';
  /** On Redis instead of in memory, on one whose processor time counts, or does not. */
  readonly redis?: 'counted' | 'uncounted';
}

/** node-oidc-provider in a process of its own, furnished. */
export async function openPeer({ tokens, redis }: PeerVariant): Promise<Authority> {
  const server = await redisFor(redis);
  const args = [tokens, ...(server ? [server.url] : [])];
  const child = fork(join(import.meta.dirname, 'peer-server.js'), args, { stdio: 'ignore' });
  const stop = async () => {
    child.kill('SIGKILL');
    await server?.stop();
  };
  try {
    const usage = async () =>
      usageTogether(await Promise.all([usageOf(child.pid!), ...(server?.usage ? [server.usage()] : [])]));
    return await furnished(child, tokens === 'ES256' ? 'ES256' : 'RS256', usage, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function furnished(
  child: ChildProcess,
  alg: 'ES256' | 'RS256',
  usage: () => Promise<Usage>,
  stop: () => Promise<void>,
): Promise<Authority> {
  const [origin] = (await Promise.race([once(child, 'message'), ended(child)])) as [string];
  const { status, body } = await call(`${origin}${oauthPaths.register}`, { json: registration(redirectUri, alg) });
  if (status !== 201) throw new Error(`the peer's registration answered ${status}: ${JSON.stringify(body)}`);
  const { client_id, client_secret } = body as { client_id: string; client_secret: string };
  const person = new Person();
  const { query } = authorizationRequest({ client_id, redirectUri });
  const signIn = await person.visit(`${origin}${oauthPaths.authorize}?${query}`);
  let landed = await person.submit(signIn, { prompt: 'login', login: 'owner', password: 'any' });
  if (!landed.left) landed = await person.submit(landed, { prompt: 'consent' });
  if (!landed.left) throw new Error(`the peer's sign-in led nowhere: ${landed.status}`);
  const client = { client_id, client_secret, redirectUri };
  return new Authority({ origin, usage, headers: {}, client, cookies: [person.cookie], stop });
}

async function redisFor(redis: PeerVariant['redis']): Promise<CountedRedis | undefined> {
  if (redis === undefined) return undefined;
  return redis === 'counted' ? startCountedRedis() : startRedis().catch(missing);
}

async function ended(child: ChildProcess): Promise<never> {
  await once(child, 'exit');
  throw new PeerMissing('node-oidc-provider does not start here');
}

/** It asks again for every native client, so the peer's is none. */
const redirectUri = 'https://client.test/callback';

const missing = (error: Error): never => {
  throw new PeerMissing(error.message);
};
