import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Answer, Client, post } from '@lyceum/testkit';
import { type CryptoKey, type JWK, type JWTPayload, SignJWT, exportJWK, generateKeyPair } from 'jose';
import { guardedEgress } from '../../egress/guarded-egress.ts';
import { type TestAuth, startAuth } from '../../testing/test-auth.ts';
import { type HttpsServer, startHttpsServer } from '../../testing/test-egress.ts';
import { type TestOperator, startOperator } from '../../testing/test-operator.ts';

let site: HttpsServer;
let auth: TestAuth;
let operator: TestOperator;
beforeAll(async () => {
  site = await startHttpsServer();
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  auth = await startAuth({ egress: guardedEgress({ allow: [site.host], authority: site.authority, resolve }) });
  operator = await startOperator(auth);
});
afterAll(async () => {
  await operator.close();
  await auth.close();
  await site.close();
});
beforeEach(() => auth.clock.advance(61_000));

const fields = { client_name: 'Forum', redirect_uris: ['https://forum.example/cb'] };
const integration = async (more: object) =>
  (await operator.ask('POST', '', { school: auth.school.id, ...fields, ...more })).body;
/** Asks about a token that does not exist: 200 says that the client was recognised. */
const ask = (form: Record<string, string>): Promise<Answer> =>
  post(`${auth.school.url}/api/oauth/introspect`, { token: 'x', ...form });
const outcome = ({ status, body }: Answer) => [status, body.error];
const failed = [401, 'invalid_client'];
const malformed = [400, 'invalid_request'];
const good = [200, undefined];
const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

describe('a client that signs', () => {
  let key: CryptoKey;
  let jwk: JWK;
  let client_id: string;
  beforeAll(async () => {
    ({ key, jwk } = await newKey('k1'));
    const signing = { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } };
    ({ client_id } = await integration(signing));
  });

  const newKey = async (kid: string, alg = 'ES256') => {
    const pair = await generateKeyPair(alg, { extractable: true });
    return { key: pair.privateKey, jwk: { ...(await exportJWK(pair.publicKey)), kid, alg } };
  };
  const now = () => Math.floor(auth.clock.now() / 1000);
  let count = 0;
  const signed = (claims: JWTPayload = {}, { by = key, kid = 'k1', alg = 'ES256', id = client_id } = {}) => {
    count += 1;
    const standard = { iss: id, sub: id, aud: auth.school.url, exp: now() + 60, iat: now(), jti: `jti-${count}` };
    const payload = Object.fromEntries(
      Object.entries({ ...standard, ...claims }).filter(([, each]) => each !== undefined),
    );
    return new SignJWT(payload).setProtectedHeader({ alg, kid }).sign(by);
  };
  const present = async (assertion: string | Promise<string>, more: Record<string, string> = {}) =>
    outcome(await ask({ client_assertion: await assertion, client_assertion_type: type, ...more }));

  test('RFC 7523 §2.2: is recognised, with its client_id beside the assertion or without', async () => {
    expect(await present(signed())).toEqual(good);
    expect(await present(signed(), { client_id })).toEqual(good);
    expect(await present(signed(), { client_id: 'client_x' })).toEqual(failed);
  });

  test('RFC 7523 §3: may mean the issuer or the token endpoint', async () => {
    expect(await present(signed({ aud: `${auth.school.url}/api/oauth/token` }))).toEqual(good);
    expect(await present(signed({ aud: ['https://other.example', auth.school.url] }))).toEqual(good);
  });

  test.each<[string, () => JWTPayload]>([
    ['another audience', () => ({ aud: 'https://other.example' })],
    ['the issuer of another school', () => ({ aud: auth.other.url })],
    ['no audience', () => ({ aud: undefined as never })],
    ['another issuer', () => ({ iss: 'client_x' })],
    ['no issuer', () => ({ iss: undefined as never })],
    ['no subject', () => ({ sub: undefined as never })],
    ['no expiry', () => ({ exp: undefined as never })],
    ['an expiry that has passed', () => ({ exp: now() - 11 })],
    ['a life of more than five minutes', () => ({ exp: now() + 311 })],
    ['a time of issue in the future', () => ({ iat: now() + 60 })],
    ['a beginning in the future', () => ({ nbf: now() + 60 })],
    ['no id', () => ({ jti: undefined as never })],
    ['an empty id', () => ({ jti: '' })],
    ['an id that is no text', () => ({ jti: 5 as never })],
    ['an id that is too long', () => ({ jti: 'a'.repeat(257) })],
  ])('RFC 7523 §3: an assertion with %s is refused', async (_, claims) =>
    expect(await present(signed(claims()))).toEqual(failed),
  );

  test('RFC 7523 §3: an assertion counts once, also when it comes twice at the same time', async () => {
    const assertion = await signed();
    const answers = await Promise.all(Array.from({ length: 10 }, () => present(assertion)));
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
    auth.clock.advance(65_000);
    expect(await present(assertion)).toEqual(failed);
  });

  test('RFC 7523 §3: the ids of two clients do not get into each other’s way', async () => {
    const other = await integration({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } });
    expect(await present(signed({ jti: 'same' }))).toEqual(good);
    expect(await present(signed({ jti: 'same' }, { id: other.client_id }))).toEqual(good);
    expect(await present(signed({ jti: 'same' }))).toEqual(failed);
  });

  test('RFC 7523 §3: a signature by another key, an unknown key or no key is refused', async () => {
    const { key: strange } = await newKey('k1');
    expect(await present(signed({}, { by: strange }))).toEqual(failed);
    expect(await present(signed({}, { kid: 'k2' }))).toEqual(failed);
    const [, payload] = (await signed()).split('.');
    for (const header of [{ alg: 'none' }, { alg: 'HS256', kid: 'k1' }]) {
      const head = Buffer.from(JSON.stringify(header)).toString('base64url');
      expect(await present(`${head}.${payload}.`)).toEqual(failed);
      expect(await present(`${head}.${payload}.AAAA`)).toEqual(failed);
    }
  });

  test('RFC 8725 §3.1: algorithms that are not advertised are refused, whatever key fits them', async () => {
    const es384 = await newKey('k3', 'ES384');
    const { client_id: id } = await integration({
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [es384.jwk] },
    });
    expect(await present(signed({}, { by: es384.key, kid: 'k3', alg: 'ES384', id }))).toEqual(failed);
  });

  test.each(['', 'x', 'a.b.c', 'e30.e30.e30', `${'a'.repeat(9_000)}.b.c`])(
    'RFC 7521 §4.2: %# something that is no assertion is refused',
    async (text) =>
      expect(outcome(await ask({ client_id, client_assertion: text, client_assertion_type: type }))).toEqual(failed),
  );

  test('RFC 7521 §4.2: the type of the assertion is needed', async () => {
    const client_assertion = await signed();
    expect(outcome(await ask({ client_assertion }))).toEqual(malformed);
    expect(outcome(await ask({ client_assertion, client_assertion_type: 'x' }))).toEqual(malformed);
  });

  test('RFC 7591 §2: keys at an address are fetched once, and again when a new key is used', async () => {
    const [first, second] = [await newKey('a'), await newKey('b', 'RS256')];
    let keys = [first.jwk];
    site.serve = (_, response) =>
      void response.writeHead(200, { 'content-type': 'application/jwk-set+json' }).end(JSON.stringify({ keys }));
    const { client_id: id } = await integration({
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: `${site.origin}/keys-1`,
    });
    const asked = site.asked.length;
    for (let round = 0; round < 3; round += 1)
      expect(await present(signed({}, { by: first.key, kid: 'a', id }))).toEqual(good);
    expect(site.asked.length - asked).toBe(1);
    keys = [second.jwk];
    expect(await present(signed({}, { by: second.key, kid: 'b', alg: 'RS256', id }))).toEqual(failed);
    auth.clock.advance(30_000);
    expect(await present(signed({}, { by: second.key, kid: 'b', alg: 'RS256', id }))).toEqual(good);
    expect(await present(signed({}, { by: first.key, kid: 'a', id }))).toEqual(failed);
  });

  test('RFC 7591 §2: keys that cannot be had, or are private, let nobody in', async () => {
    const signing = { token_endpoint_auth_method: 'private_key_jwt' };
    const { client_id: gone } = await integration({ ...signing, jwks_uri: `${site.origin}/keys-2` });
    site.serve = (_, response) => void response.writeHead(404).end();
    expect(await present(signed({}, { id: gone }))).toEqual(failed);
    const { client_id: inside } = await integration({ ...signing, jwks_uri: 'https://169.254.169.254/keys' });
    expect(await present(signed({}, { id: inside }))).toEqual(failed);
    const { client_id: open } = await integration({ ...signing, jwks_uri: `${site.origin}/keys-3` });
    site.serve = (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ keys: [{ ...jwk, d: 'x' }] }));
    expect(await present(signed({}, { id: open }))).toEqual(failed);
  });

  test('CIMD §4: may be one that a document describes', async () => {
    const id = `${site.origin}/signing.json`;
    const document = {
      client_id: id,
      redirect_uris: [`${site.origin}/cb`],
      token_endpoint_auth_method: 'private_key_jwt',
    };
    site.serve = (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ...document, jwks: { keys: [jwk] } }));
    // A person meets it first: nothing is fetched for a program that only names it.
    await fetch(Client.known(auth.school.url, id, `${site.origin}/cb`).start('openid').url, { redirect: 'manual' });
    expect(await present(signed({}, { id }))).toEqual(good);
    expect(outcome(await ask({ client_id: id }))).toEqual(failed);
  });
});
