import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, type Tokens, call } from '@lyceum/testkit';
import { findByEmail } from '../domain/accounts/account-registry.ts';
import { accountDecider } from '../domain/accounts/account.ts';
import { streamOf } from '../domain/streams.ts';
import { write } from '../domain/write.ts';
import { type TestAuth, approved, emailOf, introspect, startAuth } from '../testing/test-auth.ts';

let auth: TestAuth;
let client: Client;
beforeEach(async () => {
  auth = await startAuth();
  client = await Client.register(auth.school.url, { client_name: 'Agent' });
});
afterEach(() => auth.close());

async function connected(scope: string, by = client): Promise<Tokens> {
  const { code, verifier } = await approved(by, scope);
  const { body } = await by.redeem(code, verifier);
  await auth.settled();
  return body as Tokens;
}

const ask = (method: string, path: string, token?: string) =>
  call(`${auth.school.url}/api/account/${path}`, { method, ...(token === undefined ? {} : { token }) });

describe('the account of a token’s person', () => {
  test('lists the clients that may use it, and nobody else’s', async () => {
    const { access_token } = await connected('account:read courses:read');
    const { status, body } = await ask('GET', 'clients', access_token);
    expect(status).toBe(200);
    expect(body.data).toEqual([
      {
        object: 'connected_client',
        client_id: client.id,
        client_name: 'Agent',
        redirect_hosts: [expect.stringMatching(/^127\.0\.0\.1/)],
        scopes: ['courses:read', 'account:read'],
        connected_at: '2026-01-05T08:00:00.000Z',
        last_used_at: '2026-01-05T08:00:00.000Z',
      },
    ]);
    expect(body).toMatchObject({ object: 'list', has_more: false, next_cursor: null });
  });

  test('tells of one of them as of now, and of none that has no part in it', async () => {
    const other = await Client.register(auth.school.url);
    const { access_token } = await connected('account:read');
    const { data } = (await ask('GET', 'clients', access_token)).body;
    const one = await ask('GET', `clients/${client.id}`, access_token);
    expect([one.status, one.body]).toEqual([200, expect.objectContaining(data[0])]);
    for (const id of [other.id, 'nobody']) expect((await ask('GET', `clients/${id}`, access_token)).status).toBe(404);
  });

  test('no longer lists what was connected before the person was signed out everywhere', async () => {
    await connected('account:read');
    auth.clock.advance(1_000);
    const owner = await findByEmail(auth.ports, auth.school.id, emailOf('owner'));
    const target = { school: auth.school.id, stream: streamOf('account', owner!.id)!, meta: { actor: 'system' } };
    await write(auth.ports, accountDecider, target, { type: 'EndSessions', now: auth.clock.now() });
    auth.clock.advance(1_000);
    const other = await Client.register(auth.school.url, { client_name: 'After' });
    const { access_token } = await connected('account:read', other);
    const { body } = await ask('GET', 'clients', access_token);
    expect(body.data.map(({ client_name }: { client_name: string }) => client_name)).toEqual(['After']);
  });

  test('disconnects a client with 204; then it holds nothing, and is not found a second time', async () => {
    const other = await Client.register(auth.school.url, { client_name: 'Other' });
    const theirs = await connected('openid', other);
    const { access_token } = await connected('account:write');
    expect((await ask('DELETE', `clients/${other.id}`, access_token)).status).toBe(204);
    expect((await introspect(auth.school, other.id, theirs.access_token)).body).toEqual({ active: false });
    expect((await ask('DELETE', `clients/${other.id}`, access_token)).status).toBe(404);
    expect((await ask('DELETE', 'clients/nobody', access_token)).status).toBe(404);
  });

  test('disconnects the very client that asks: its token is refused from then on', async () => {
    const { access_token } = await connected('account:read account:write');
    expect((await ask('DELETE', `clients/${client.id}`, access_token)).status).toBe(204);
    await auth.settled();
    expect((await ask('GET', 'clients', access_token)).status).toBe(401);
  });

  test('lists the sign-ins, tells which one the token came from, and ends one', async () => {
    const { access_token } = await connected('account:read account:write');
    await connected('openid');
    const { body } = await ask('GET', 'sessions', access_token);
    expect(body.data).toHaveLength(2);
    expect(body.data.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
    expect(body.data[0]).toMatchObject({
      object: 'session',
      address: '192.0.2.1',
      signed_in_at: '2026-01-05T08:00:00.000Z',
      expires_at: '2026-01-19T08:00:00.000Z',
    });
    const { id } = body.data.find(({ current }: { current: boolean }) => !current);
    expect((await ask('DELETE', `sessions/${id}`, access_token)).status).toBe(204);
    expect((await ask('GET', 'sessions', access_token)).body.data).toHaveLength(1);
    expect((await ask('DELETE', `sessions/${id}`, access_token)).status).toBe(404);
  });

  test.each([
    ['GET', 'clients', 'account:write'],
    ['GET', 'clients/x', 'account:write'],
    ['DELETE', 'clients/x', 'account:read'],
    ['GET', 'sessions', 'openid'],
    ['DELETE', 'sessions/x', 'account:read'],
  ])('%s %s needs its own scope: %s is not enough, and no token is nobody', async (method, path, scope) => {
    const { access_token } = await connected(scope);
    const refused = await ask(method, path, access_token);
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope']);
    const nobody = await ask(method, path);
    expect([nobody.status, nobody.body.error]).toEqual([403, 'access_denied']);
    expect((await ask(method, path, `${access_token}x`)).status).toBe(401);
  });
});
