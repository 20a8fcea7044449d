import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Person, codeOf, approve, post } from '@lyceum/testkit';
import { type TestAuth, approved, emailOf, introspect, password, startAuth } from '../test-auth.ts';
import { Browser } from './attack.ts';

/** Somebody has a code that is not theirs, or would like to have one. */
describe('an attacker with a code', () => {
  let auth: TestAuth;
  let client: Client;
  beforeAll(async () => {
    auth = await startAuth();
    client = await Client.register(auth.school.url);
  });
  afterAll(() => auth.close());

  const asks = async (more: Record<string, string>, without: readonly string[] = []) => {
    const { url } = client.start('openid', more);
    for (const name of without) url.searchParams.delete(name);
    const { headers } = await new Browser().go(url);
    return new URL(headers.get('location') ?? 'none:').searchParams.get('error');
  };

  test('RFC 9700 §4.5.3.1: a code put into another flow of the same client is refused: the verifiers differ', async () => {
    const stolen = await approved(client);
    const own = await approved(client);
    const injected = await client.redeem(stolen.code, own.verifier);
    expect([injected.status, injected.body.error]).toEqual([400, 'invalid_grant']);
    expect((await client.redeem(own.code, own.verifier)).status).toBe(200);
  });

  test('RFC 9700 §4.5: a code is worthless for another client, also with its verifier, and is not spent by the attempt', async () => {
    const { code, verifier } = await approved(client);
    const thief = await Client.register(auth.school.url);
    const taken = await thief.redeem(code, verifier);
    expect([taken.status, taken.body.error]).toEqual([400, 'invalid_grant']);
    expect((await client.redeem(code, verifier)).status).toBe(200);
  });

  test('RFC 9700 §4.4.2.1: a code that a mix-up sent to another school is refused there and stays good at its own', async () => {
    const { code, verifier } = await approved(client);
    const there = await post(`${auth.other.url}/api/oauth/token`, {
      grant_type: 'authorization_code',
      client_id: client.id,
      redirect_uri: client.redirectUri,
      code,
      code_verifier: verifier,
    });
    expect([there.status, there.body.error]).toEqual([401, 'invalid_client']);
    const accomplice = await Client.register(auth.other.url);
    expect((await accomplice.redeem(code, verifier)).body.error).toBe('invalid_grant');
    expect((await client.redeem(code, verifier)).status).toBe(200);
  });

  test('RFC 9700 §4.4.2.1: every answer names the school that gives it, so that a client notices a mix-up', async () => {
    for (const { url: issuer } of [auth.school, auth.other]) {
      const at = await Client.register(issuer);
      const person = new Person();
      const good = await approve(person, at.start('openid').url, emailOf('owner'), password);
      const bad = await person.visit(at.start('openid', { code_challenge_method: 'plain' }).url);
      expect([good, bad].map(({ left }) => left?.searchParams.getAll('iss'))).toEqual([[issuer], [issuer]]);
    }
  });

  test('RFC 9700 §4.3.1: a code from the history of a browser is spent; using it again ends the tokens it gave', async () => {
    const { code, verifier } = await approved(client);
    const { body } = await client.redeem(code, verifier);
    expect((await client.redeem(code, verifier)).body.error).toBe('invalid_grant');
    expect((await introspect(auth.school, client.id, body.access_token)).body).toEqual({ active: false });
    expect((await client.refresh(body.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('RFC 9700 §4.8: the request of a client cannot be stripped of its challenge or weakened to plain', async () => {
    expect(await asks({}, ['code_challenge', 'code_challenge_method'])).toBe('invalid_request');
    expect(await asks({}, ['code_challenge_method'])).toBe('invalid_request');
    expect(await asks({}, ['code_challenge'])).toBe('invalid_request');
    expect(await asks({ code_challenge_method: 'plain' })).toBe('invalid_request');
    const { code } = await approved(client);
    const stripped = await post(`${auth.school.url}/api/oauth/token`, {
      grant_type: 'authorization_code',
      client_id: client.id,
      redirect_uri: client.redirectUri,
      code,
    });
    expect([stripped.status, stripped.body.error]).toEqual([400, 'invalid_request']);
  });

  test.each(['token', 'id_token', 'id_token token', 'code token', 'code id_token', 'none', 'CODE'])(
    'RFC 9700 §2.1.2: no token travels through the browser: response_type=%s is refused',
    async (response_type) => expect(await asks({ response_type })).toBe('unsupported_response_type'),
  );

  test.each(['fragment', 'form_post', 'web_message', 'jwt'])(
    'RFC 9700 §4.17: no page hands a code to a script or to a form: response_mode=%s is refused',
    async (response_mode) => expect(await asks({ response_mode })).toBe('invalid_request'),
  );

  test.each([
    ['password', { username: emailOf('owner'), password }],
    ['client_credentials', {}],
    ['urn:ietf:params:oauth:grant-type:jwt-bearer', { assertion: 'a.b.c' }],
    ['urn:ietf:params:oauth:grant-type:token-exchange', { subject_token: 'a.b.c' }],
    ['implicit', {}],
  ])('RFC 9700 §2.4: nobody but the person gives access: grant_type=%s is unsupported', async (grant_type, more) => {
    const { status, body } = await post(`${auth.school.url}/api/oauth/token`, {
      grant_type,
      client_id: client.id,
      ...more,
    });
    expect([status, body.error]).toEqual([400, 'unsupported_grant_type']);
  });

  test('RFC 9700 §4.1.3: a code goes only to the address that was asked for, which the client has to name again', async () => {
    const { code, verifier } = await approved(client);
    const elsewhere = await client.redeem(code, verifier, 'http://127.0.0.1:9/callback');
    expect([elsewhere.status, elsewhere.body.error]).toEqual([400, 'invalid_grant']);
  });

  test('a code is burnt after five wrong guesses of its verifier', async () => {
    const { code, verifier } = await approved(client);
    for (let guess = 0; guess < 5; guess += 1)
      expect((await client.redeem(code, `${'guess'.repeat(9)}${guess}`)).body.error).toBe('invalid_grant');
    expect((await client.redeem(code, verifier)).body.error).toBe('invalid_grant');
  });

  test('a code that a script in the page might read is in no page: only the redirect carries it', async () => {
    const person = new Person();
    const landed = await approve(person, client.start('openid').url, emailOf('owner'), password);
    expect(landed.text).not.toContain(codeOf(landed));
    expect(landed.headers.get('cache-control')).toBe('no-store');
    expect(landed.headers.get('referrer-policy')).toBe('no-referrer');
  });
});
