import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Person, call, post } from '@lyceum/testkit';
import { type TestAuth, approved, emailOf, password, registerConfidential, startAuth } from '../test-auth.ts';
import { Browser, formOf } from './attack.ts';

/** Somebody passes for a client, or registers one to deceive. */
describe('an attacker who is a client', () => {
  let auth: TestAuth;
  beforeAll(async () => {
    auth = await startAuth();
  });
  afterAll(() => auth.close());
  const register = (json: unknown) => call(`${auth.school.url}/api/oauth/register`, { json });

  test('RFC 9700 §2.5: a confidential client is nobody without its own secret, for no grant and no endpoint', async () => {
    const { client_id, client_secret } = await registerConfidential(auth.school);
    const other = await registerConfidential(auth.school);
    const guesses = [undefined, '', 'guess', client_secret.slice(1), `${client_secret} `, other.client_secret];
    for (const path of ['token', 'revoke', 'introspect'])
      for (const guess of guesses) {
        const { status, body } = await post(`${auth.school.url}/api/oauth/${path}`, {
          grant_type: 'authorization_code',
          token: 'any',
          client_id,
          ...(guess === undefined ? {} : { client_secret: guess }),
        });
        expect([status, body.error]).toEqual([401, 'invalid_client']);
      }
  });

  test('RFC 8252 §8.6: whoever passes for a public client is seen by the person, every time: nothing was remembered', async () => {
    const client = await Client.register(auth.school.url);
    const person = new Person();
    await approved(client, 'openid', { person });
    const again = await person.visit(client.start('openid').url);
    expect(again.text).toContain('value="approve"');
    expect(again.text).toContain('127.0.0.1:53682');
  });

  test('RFC 7591 §5: a name that pretends to be somebody stands beside the host that the person is sent to', async () => {
    const client = await Client.register(auth.school.url, { client_name: 'Lantern Craft School (official)' });
    const browser = new Browser();
    const page = await browser.go(client.start('openid').url);
    const consent = await browser.follow(await browser.send(formOf(page), { email: emailOf('owner'), password }));
    for (const { text } of [page, consent]) expect(text).toContain('127.0.0.1:53682');
  });

  test('RFC 7591 §5: what the server decides cannot be registered: ids, secrets, dates, owners', async () => {
    const { status, body } = await register({
      redirect_uris: ['http://127.0.0.1/cb'],
      client_id: 'client_mine',
      client_secret: 'mine',
      client_id_issued_at: 1,
      registration_access_token: 'mine',
      resources: ['https://api.example/'],
      require_pkce: false,
      require_nonce: false,
      disabled: false,
    });
    expect(status).toBe(201);
    expect(body.client_id).not.toBe('client_mine');
    expect(JSON.stringify(body)).not.toContain('"mine"');
    expect(body).not.toHaveProperty('resources');
    expect(body).not.toHaveProperty('require_pkce');
    expect(body).not.toHaveProperty('require_nonce');
  });

  test('RFC 9700 §4.1.1: nobody registers an address that is not on their own machine', async () => {
    for (const uri of ['https://evil.example/cb', 'http://evil.example/cb', 'http://127.0.0.1.evil.example/cb'])
      for (const redirect_uris of [[uri], ['http://127.0.0.1/cb', uri]])
        expect((await register({ redirect_uris })).body.error).toBe('invalid_redirect_uri');
  });

  test('RFC 7592 §3: the token that manages one registration opens no other, neither here nor at another school', async () => {
    const [mine, theirs] = [
      await register({ redirect_uris: ['http://127.0.0.1/cb'] }),
      await register({ redirect_uris: ['http://127.0.0.1/cb'] }),
    ];
    const token = mine.body.registration_access_token as string;
    for (const method of ['GET', 'PUT', 'DELETE'])
      for (const url of [
        theirs.body.registration_client_uri,
        theirs.body.registration_client_uri.replace(auth.school.url, auth.other.url),
      ]) {
        const json =
          method === 'PUT' ? { client_id: theirs.body.client_id, redirect_uris: ['http://127.0.0.1/x'] } : undefined;
        expect((await call(url, { method, token, json })).status).toBe(401);
      }
    expect(
      (await call(theirs.body.registration_client_uri, { token: theirs.body.registration_access_token })).status,
    ).toBe(200);
  });

  test('a client of one school is unknown at another', async () => {
    const client = await Client.register(auth.school.url);
    const { url } = client.start('openid');
    const there = new URL(url.href.replace(auth.school.url, auth.other.url));
    const { status, headers } = await new Browser().go(there);
    expect([status, headers.get('location')]).toEqual([400, null]);
  });
});
