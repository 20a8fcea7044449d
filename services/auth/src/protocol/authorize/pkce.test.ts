import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Landed, Person, codeOf, post } from '@lyceum/testkit';
import { createHash } from 'node:crypto';
import { registerClient } from '../../domain/clients/client-registry.ts';
import type { ClientMetadata } from '../../domain/clients/client.events.ts';
import { type TestAuth, emailOf, password, startAuth } from '../../testing/test-auth.ts';

let auth: TestAuth;
let exempt: { client_id: string; client_secret: string };
beforeAll(async () => {
  auth = await startAuth();
  const { id, secret } = await registerClient(auth.ports, auth.school.id, metadata, 'test');
  exempt = { client_id: id, client_secret: secret! };
});
afterAll(() => auth.close());

const redirect_uri = 'https://client.example/callback';
/** As an operator arranges it. */
const metadata: ClientMetadata = {
  application_type: 'web',
  redirect_uris: [redirect_uri],
  token_endpoint_auth_method: 'client_secret_post',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  id_token_signed_response_alg: 'RS256',
  require_pkce: false,
};
const code_verifier = 'v'.repeat(43);
const proof = {
  code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
  code_challenge_method: 'S256',
};

const ask = async (more: Record<string, string>, scope = 'openid') => {
  const query = { response_type: 'code', client_id: exempt.client_id, redirect_uri, scope, ...more };
  const person = new Person();
  const url = `${auth.school.url}/oauth/authorize?${new URLSearchParams(query)}`;
  const page = await person.visit(url);
  return page.left ? page : consentTo(person, await person.submit(page, { email: emailOf('owner'), password }));
};
const consentTo = (person: Person, page: Landed) =>
  page.left ? Promise.resolve(page) : person.submit(page, { decision: 'approve' });
const redeem = (landed: Landed, more: Record<string, string> = {}) =>
  post(`${auth.school.url}/api/oauth/token`, {
    grant_type: 'authorization_code',
    code: codeOf(landed),
    redirect_uri,
    ...exempt,
    ...more,
  });
const errorOf = ({ left }: Landed) => left!.searchParams.get('error');

describe('a confidential client that the operator lets do without PKCE', () => {
  test('RFC 9700 §2.1.1: relies on nonce', async () => {
    const { status, body } = await redeem(await ask({ nonce: 'n' }));
    expect([status, body.token_type]).toEqual([200, 'Bearer']);
    expect(errorOf(await ask({}))).toBe('invalid_request');
    expect((await redeem(await ask({}, 'courses:read'))).status).toBe(200);
  });

  test('OIDC Core §3.1.2.1: may do without a nonce, too, when the operator says so', async () => {
    const { id, secret } = await registerClient(
      auth.ports,
      auth.school.id,
      { ...metadata, require_nonce: false },
      'test',
    );
    const before = exempt;
    exempt = { client_id: id, client_secret: secret! };
    const { status, body } = await redeem(await ask({}));
    expect([status, typeof body.id_token]).toEqual([200, 'string']);
    exempt = before;
  });

  test('RFC 7636 §4.4.1: that begins with PKCE must do it right and go on with it', async () => {
    expect(errorOf(await ask({ nonce: 'n', code_challenge_method: 'S256' }))).toBe('invalid_request');
    expect(errorOf(await ask({ nonce: 'n', code_challenge: proof.code_challenge }))).toBe('invalid_request');
    expect((await redeem(await ask(proof), { code_verifier })).status).toBe(200);
    expect((await redeem(await ask(proof))).body.error).toBe('invalid_grant');
  });

  test('RFC 9700 §4.8.2: a verifier without a challenge is invalid_grant', async () => {
    const landed = await ask({ nonce: 'n' });
    expect((await redeem(landed, { code_verifier })).body.error).toBe('invalid_grant');
    expect((await redeem(landed)).status).toBe(200);
  });
});
