import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Person, post } from '@lyceum/testkit';
import { decodeJwt } from 'jose';
import { registerClient } from '../../domain/clients/client-registry.ts';
import type { ClientMetadata } from '../../domain/clients/client.events.ts';
import {
  type TestAuth,
  approved,
  introspect,
  registerConfidential,
  startAuth,
  userinfo,
} from '../../testing/test-auth.ts';

const api = 'https://api.example/v1';
/** As an operator arranges it. */
const metadata: ClientMetadata = {
  application_type: 'web',
  redirect_uris: [],
  token_endpoint_auth_method: 'client_secret_post',
  grant_types: [],
  response_types: [],
  id_token_signed_response_alg: 'RS256',
  resources: [api],
};

let auth: TestAuth;
let client: Client;
let server: { client_id: string; client_secret: string };
beforeAll(async () => {
  auth = await startAuth();
  client = await Client.register(auth.school.url);
  const { id, secret } = await registerClient(auth.ports, auth.school.id, metadata, 'test');
  server = { client_id: id, client_secret: secret! };
});
afterAll(() => auth.close());

/** Tokens for these resources, named at the token endpoint. */
async function tokensFor(...resources: string[]) {
  const { code, verifier } = await approved(client, 'openid email courses:read');
  const form = new URLSearchParams({ grant_type: 'authorization_code', client_id: client.id, code });
  form.append('redirect_uri', client.redirectUri);
  form.append('code_verifier', verifier);
  for (const each of resources) form.append('resource', each);
  const response = await fetch(`${auth.school.url}/api/oauth/token`, { method: 'POST', body: form });
  return (await response.json()) as { access_token: string; refresh_token: string };
}
const ask = (token: string, by: Record<string, string> = server) =>
  post(`${auth.school.url}/api/oauth/introspect`, { token, ...by });

describe('an API that the operator arranged', () => {
  test('RFC 8707 §2: is a resource of the school, at both endpoints', async () => {
    const { access_token } = await tokensFor(api);
    expect(decodeJwt(access_token).aud).toBe(api);
    const { left, text } = await new Person().visit(client.start('openid', { resource: api }).url);
    expect([left, text.includes('name="password"')]).toEqual([undefined, true]);
    const there = await Client.register(auth.other.url);
    const elsewhere = await new Person().visit(there.start('openid', { resource: api }).url);
    expect(elsewhere.left?.searchParams.get('error')).toBe('invalid_target');
  });

  test('RFC 8707 §2: several resources are several audiences', async () => {
    const { access_token, refresh_token } = await tokensFor(api, auth.school.url);
    expect(decodeJwt(access_token).aud).toEqual([api, auth.school.url]);
    expect((await introspect(auth.school, client.id, refresh_token)).body.aud).toEqual([api, auth.school.url]);
    expect(decodeJwt((await client.refresh(refresh_token)).body.access_token).aud).toEqual([api, auth.school.url]);
  });

  test('RFC 8707 §2: more than ten resources are invalid_target', async () => {
    const many = Array.from({ length: 11 }, (_, index) => `${auth.school.url}/api/${index}`);
    expect(await tokensFor(...many)).toMatchObject({ error: 'invalid_target' });
  });

  test('RFC 7662 §4: its server learns of the access tokens that are meant for it', async () => {
    const { access_token } = await tokensFor(api);
    const { body } = await ask(access_token);
    expect(body).toMatchObject({ active: true, aud: api, client_id: client.id, scope: 'openid email courses:read' });
  });

  test('RFC 7662 §4: it learns nothing of other tokens, nor of refresh tokens', async () => {
    const [forIt, other] = [await tokensFor(api), await tokensFor()];
    for (const token of [forIt.refresh_token, other.access_token, other.refresh_token])
      expect((await ask(token)).body).toEqual({ active: false });
  });

  test('RFC 7662 §4: who serves no API learns of its own tokens only', async () => {
    const { access_token } = await tokensFor(api);
    expect((await ask(access_token, await registerConfidential(auth.school))).body).toEqual({ active: false });
  });

  test('RFC 7662 §4: the caller has to prove that it is the server', async () => {
    const { access_token } = await tokensFor(api);
    for (const by of [{ client_id: server.client_id }, { ...server, client_secret: 'wrong' }]) {
      const { status, body } = await ask(access_token, by as Record<string, string>);
      expect([status, body.error]).toEqual([401, 'invalid_client']);
    }
  });

  test('OIDC Core §5.3: a token that is meant for somebody else does not open UserInfo', async () => {
    expect((await userinfo(auth.school, (await tokensFor(api)).access_token)).status).toBe(401);
    expect((await userinfo(auth.school, (await tokensFor(api, auth.school.url)).access_token)).status).toBe(200);
    expect((await userinfo(auth.school, (await tokensFor(`${auth.school.url}/mcp`)).access_token)).status).toBe(200);
  });
});
