import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, type Landed, Person, approve, codeOf } from '@lyceum/testkit';
import { SignJWT, decodeJwt, generateKeyPair } from 'jose';
import { type TestAuth, emailOf, password, startAuth } from '../../testing/test-auth.ts';

let auth: TestAuth;
let client: Client;
beforeAll(async () => {
  auth = await startAuth();
  client = await Client.register(auth.school.url);
});
afterAll(() => auth.close());

const isSignIn = (page: Landed) => page.text.includes('name="password"');
const isConsent = (page: Landed) => page.text.includes('name="decision"');
const errorOf = ({ left }: Landed) => left?.searchParams.get('error');
const visit = (person: Person, id_token_hint: string, more: Record<string, string> = {}) =>
  person.visit(client.start('openid', { id_token_hint, ...more }).url);

/** A person who is signed in, and an ID token about them. */
async function signedIn(role: 'owner' | 'member') {
  const person = new Person();
  return { person, hint: (await client.tokens(emailOf(role), password, 'openid', person)).id_token! };
}

describe('id_token_hint', () => {
  test('OIDC Core §3.1.2.1: about the person who is signed in, it changes nothing', async () => {
    const { person, hint } = await signedIn('owner');
    expect(isConsent(await visit(person, hint))).toBe(true);
    expect(errorOf(await visit(person, hint, { prompt: 'none' }))).toBe('consent_required');
  });

  test('OIDC Core §3.1.2.1: an expired one is good as well, and one whose key is retired', async () => {
    const { person, hint } = await signedIn('owner');
    auth.clock.advance(3_600_000);
    expect(isConsent(await visit(person, hint))).toBe(true);
    await auth.ports.keys.replace(auth.school.id);
    expect(isConsent(await visit(person, hint))).toBe(true);
  });

  test('OIDC Core §3.1.2.1: about another person, it asks to sign in, or is login_required under prompt=none', async () => {
    const { person } = await signedIn('owner');
    const { hint } = await signedIn('member');
    auth.clock.advance(1);
    expect(isSignIn(await visit(person, hint))).toBe(true);
    expect(errorOf(await visit(person, hint, { prompt: 'none' }))).toBe('login_required');
  });

  test('OIDC Core §3.1.2.2: the right person may sign in then; another one ends the request with login_required', async () => {
    const { person } = await signedIn('owner');
    const { hint } = await signedIn('member');
    auth.clock.advance(1_000);
    const wrong = await person.submit(await visit(person, hint), { email: emailOf('owner'), password });
    expect(errorOf(wrong)).toBe('login_required');
    auth.clock.advance(1_000);
    const { url, verifier } = client.start('openid', { id_token_hint: hint });
    const { body } = await client.redeem(codeOf(await approve(person, url, emailOf('member'), password)), verifier);
    expect(decodeJwt(body.id_token).sub).toBe(decodeJwt(hint).sub);
  });

  test('OIDC Core §3.1.2.1: one that this server did not sign, or for another client, or that is no ID token, is invalid_request', async () => {
    const { person, hint } = await signedIn('owner');
    const { access_token } = await client.tokens(emailOf('owner'), password, 'openid');
    const { privateKey } = await generateKeyPair('RS256');
    const kid = JSON.parse(Buffer.from(hint.split('.')[0]!, 'base64url').toString()).kid as string;
    const forged = (claims: object) =>
      new SignJWT({ ...decodeJwt(hint), ...claims })
        .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
        .sign(privateKey);
    const there = await Client.register(auth.other.url);
    const foreign = (await there.tokens(emailOf('owner'), password, 'openid')).id_token!;
    const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${hint.split('.')[1]}.`;
    const ofAnother = (await (await Client.register(auth.school.url)).tokens(emailOf('owner'), password, 'openid'))
      .id_token!;
    for (const bad of [
      'x',
      'a.b.c',
      ofAnother,
      await forged({}),
      `${hint.slice(0, -4)}AAAA`,
      unsigned,
      access_token,
      foreign,
    ])
      expect(errorOf(await visit(person, bad))).toBe('invalid_request');
  });
});
