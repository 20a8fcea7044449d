import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, call } from '@lyceum/testkit';
import { type TestAuth, emailOf, password, startAuth } from '../../testing/test-auth.ts';
import { lifetimes } from '../lifetimes.ts';
import { expireClients } from './client-limit.ts';
import { findClient } from './client-registry.ts';
import { clientDocuments } from './client.projection.ts';
import { keepExpiring } from './expire-clients.ts';

let auth: TestAuth;
beforeEach(async () => {
  auth = await startAuth({ mostClients: 3 });
});
afterEach(() => auth.close());

const redirect_uris = ['http://127.0.0.1/cb'];
/** Each a second after the one before: of two in the same millisecond neither is the older. */
const register = async () => {
  auth.clock.advance(1_000);
  return (await call(`${auth.school.url}/api/oauth/register`, { json: { redirect_uris } })).body;
};
const isKnown = async (id: string) => (await findClient(auth.ports, auth.school.id, id)) !== undefined;
/** Waits until the read models know everything that was written. */
const settled = async () => {
  const { log, documents } = auth.ports;
  const lane = log.laneOf(auth.school.id);
  const head = await log.head(lane);
  for (const name of ['clients', 'client-counts'])
    expect(await documents.waitFor({ ...clientDocuments, name }, 'auth', lane, head, 5_000)).toBe(true);
};
const sweep = async () => {
  await settled();
  return expireClients(auth.ports, auth.school.id);
};
const day = lifetimes.unusedClient * 1000;

describe('registrations that nobody needs', () => {
  test('end a day after they were made when no token was ever given', async () => {
    const { client_id } = await register();
    auth.clock.advance(day - 1000);
    expect([await sweep(), await isKnown(client_id)]).toEqual([0, true]);
    auth.clock.advance(1000);
    expect([await sweep(), await isKnown(client_id)]).toEqual([1, false]);
    expect(await sweep()).toBe(0);
  });

  test('RFC 6749 §5.2: are invalid_client from then on', async () => {
    const client = await Client.register(auth.school.url);
    auth.clock.advance(day);
    await sweep();
    const { status, body } = await client.refresh('rt_x');
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  test('do not end while a refresh token of theirs could live, however often it is used', async () => {
    const client = await Client.register(auth.school.url);
    let { refresh_token: token } = await client.tokens(emailOf('owner'), password, 'openid');
    for (let round = 0; round < 3; round += 1) {
      auth.clock.advance((lifetimes.refreshIdle - 60) * 1000);
      expect(await sweep()).toBe(0);
      const { status, body } = await client.refresh(token);
      expect(status).toBe(200);
      token = body.refresh_token;
    }
    auth.clock.advance((lifetimes.clientUseNoted + lifetimes.refreshIdle + lifetimes.usedClientLapse) * 1000);
    expect([await sweep(), await isKnown(client.id)]).toEqual([1, false]);
  });

  test('are not saved by requests that fail', async () => {
    const client = await Client.register(auth.school.url);
    await client.refresh('rt_nothing');
    await client.redeem('nothing', 'v'.repeat(43));
    auth.clock.advance(day);
    expect(await sweep()).toBe(1);
  });

  test('that are used after the look are kept: the stream has the last word', async () => {
    const client = await Client.register(auth.school.url);
    await settled();
    auth.clock.advance(day);
    const { documents } = auth.ports;
    const late = {
      ...documents,
      query: async (...given: Parameters<typeof documents.query>) => {
        const found = await documents.query(...given);
        await client.tokens(emailOf('owner'), password, 'openid');
        return found;
      },
    };
    expect(await expireClients({ ...auth.ports, documents: late }, auth.school.id)).toBe(0);
    expect(await isKnown(client.id)).toBe(true);
  });
});

describe('a school that has all the clients it may have', () => {
  test('lets the oldest that was never used give way', async () => {
    const made = [await register(), await register(), await register()];
    await settled();
    const { client_id } = await register();
    const known = await Promise.all([...made, { client_id }].map((each) => isKnown(each.client_id)));
    expect(known).toEqual([false, true, true, true]);
  });

  test('refuses one more, for a time, when all are in use', async () => {
    const used = await Promise.all([1, 2, 3].map(() => Client.register(auth.school.url)));
    for (const client of used) await client.tokens(emailOf('owner'), password, 'openid');
    await settled();
    const answer = await call(`${auth.school.url}/api/oauth/register`, { json: { redirect_uris } });
    expect([answer.status, answer.body.error, answer.headers.get('retry-after')]).toEqual([
      503,
      'temporarily_unavailable',
      '3600',
    ]);
    expect((await call(`${auth.other.url}/api/oauth/register`, { json: { redirect_uris } })).status).toBe(201);
  });

  test('has room again when one is deleted', async () => {
    const [first] = [await register(), await register(), await register()];
    const headers = { authorization: `Bearer ${first.registration_access_token}` };
    await fetch(first.registration_client_uri, { method: 'DELETE', headers });
    await settled();
    const { client_id } = await register();
    await settled();
    const { items } = await auth.ports.documents.query(clientDocuments, auth.school.id, { limit: 10 });
    expect([items.length, await isKnown(client_id)]).toEqual([3, true]);
  });
});

describe('the sweeper', () => {
  test('goes through every school, again where there was something, and outlives failures', async () => {
    const swept: string[] = [];
    const failed: string[] = [];
    let left = 2;
    const done = new Promise<void>((resolve) => {
      const work = keepExpiring({
        first: 0,
        documents: { tenants: async (_, after) => (after === '' ? ['a', 'b', 'c'] : []) },
        async sweep(school) {
          swept.push(school);
          if (school === 'a') throw new Error('no');
          if (school === 'c') resolve();
          return school === 'b' && left-- > 0 ? 200 : 0;
        },
        onError: (_, school) => void failed.push(school!),
      });
      void Promise.resolve().then(() => done.then(() => work.close()));
    });
    await done;
    expect([swept, failed]).toEqual([['a', 'b', 'b', 'b', 'c'], ['a']]);
  });
});
