import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, Person, type Tokens, approve, codeOf } from '@lyceum/testkit';
import { type TestAuth, emailOf, password, startAuth } from '../../testing/test-auth.ts';

const back = 'http://127.0.0.1:53682/bye';

describe('signing out at the request of an application', () => {
  let auth: TestAuth;
  let client: Client;
  let person: Person;
  let hint: string;
  beforeAll(async () => {
    auth = await startAuth();
    client = await Client.register(auth.school.url, { post_logout_redirect_uris: [back] });
  });
  afterAll(() => auth.close());
  beforeEach(async () => {
    person = new Person();
    hint = (await signedIn(person, client)).id_token!;
  });

  const signedIn = async (who: Person, by: Client): Promise<Tokens> => {
    const { url, verifier } = by.start('openid');
    const landed = await approve(who, url, emailOf('owner'), password);
    return (await by.redeem(codeOf(landed), verifier)).body as Tokens;
  };
  const address = (parameters: Record<string, string>, school = auth.school) =>
    `${school.url}/oauth/logout?${new URLSearchParams(parameters).toString()}`;
  const logout = (parameters: Record<string, string>, who = person) => who.visit(address(parameters));
  const isSignedIn = async (who = person) =>
    !(await who.visit(`${auth.school.url}/oauth/account/sessions`)).text.includes('name="password"');

  test('OIDC RP-Initiated Logout §2: an ID token of this session signs out without a question and leads back', async () => {
    const { left, headers } = await logout({ id_token_hint: hint, post_logout_redirect_uri: back, state: 'a b&c' });
    expect([left!.origin + left!.pathname, left!.searchParams.get('state')]).toEqual([back, 'a b&c']);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(await isSignedIn()).toBe(false);
  });

  test('OIDC RP-Initiated Logout §2: an ID token that has expired is as good', async () => {
    auth.clock.advance(3 * 60 * 60_000);
    expect((await logout({ id_token_hint: hint, post_logout_redirect_uri: back })).left!.href).toBe(back);
    expect(await isSignedIn()).toBe(false);
  });

  test('OIDC RP-Initiated Logout §2: without a hint, or with that of another session, the person is asked', async () => {
    const other = (await signedIn(new Person(), client)).id_token!;
    for (const parameters of [{}, { client_id: client.id }, { id_token_hint: other }] as Record<string, string>[]) {
      const page = await logout(parameters);
      expect([page.status, page.text.includes('Sign out?')]).toEqual([200, true]);
      expect(await isSignedIn()).toBe(true);
    }
    const page = await logout({ client_id: client.id, post_logout_redirect_uri: back, state: 's1' });
    const { left } = await person.submit(page, { decision: 'yes' });
    expect(left!.href).toBe(`${back}?state=s1`);
    expect(await isSignedIn()).toBe(false);
  });

  test('OIDC RP-Initiated Logout §2: who declines stays signed in, and the application learns nothing', async () => {
    const page = await logout({ client_id: client.id, post_logout_redirect_uri: back });
    const stayed = await person.submit(page, { decision: 'no' });
    expect([stayed.left, stayed.text.includes('You are still signed in')]).toEqual([undefined, true]);
    expect(await isSignedIn()).toBe(true);
  });

  test('OIDC RP-Initiated Logout §3: leads to no address that the client has not registered, and nothing happens then', async () => {
    const wrong = [
      'https://evil.test/',
      `${back}/more`,
      `${back}?x=1`,
      'http://localhost:53682/bye',
      'javascript:alert(1)',
    ];
    for (const uri of wrong) {
      const { status, left } = await logout({ id_token_hint: hint, post_logout_redirect_uri: uri });
      expect([uri, status, left]).toEqual([uri, 400, undefined]);
    }
    expect((await logout({ post_logout_redirect_uri: back })).status).toBe(400);
    const stranger = await Client.register(auth.school.url);
    expect((await logout({ client_id: stranger.id, post_logout_redirect_uri: back })).status).toBe(400);
    expect(await isSignedIn()).toBe(true);
    // RFC 8252 §7.3: of a loopback address only the port may differ.
    const moved = await logout({ id_token_hint: hint, post_logout_redirect_uri: back.replace('53682', '61000') });
    expect(moved.left!.port).toBe('61000');
  });

  test('OIDC RP-Initiated Logout §2: client_id and the hint must name the same client, and one that there is', async () => {
    const other = await Client.register(auth.school.url);
    for (const parameters of [
      { id_token_hint: hint, client_id: other.id },
      { client_id: 'client_0195a3c2-7d10-7abc-8def-0123456789ab' },
      { id_token_hint: 'nonsense' },
      { id_token_hint: `${hint.slice(0, -4)}AAAA` },
    ] as Record<string, string>[])
      expect((await logout(parameters)).status).toBe(400);
    expect((await person.visit(address({ id_token_hint: hint }, auth.other))).status).toBe(400);
    expect((await person.visit(`${address({ state: 'a' })}&state=b`)).status).toBe(400);
    expect(await isSignedIn()).toBe(true);
  });

  test('OIDC RP-Initiated Logout §2: when nobody is signed in, a hint leads back at once, and nothing less does', async () => {
    const nobody = new Person();
    expect((await logout({ id_token_hint: hint, post_logout_redirect_uri: back }, nobody)).left!.href).toBe(back);
    const shown = await logout({ client_id: client.id, post_logout_redirect_uri: back }, nobody);
    expect([shown.left, shown.text.includes('You are signed out')]).toEqual([undefined, true]);
  });

  test('OIDC RP-Initiated Logout §2: a POST from another site does the same, though browsers send no cookie with it', async () => {
    const body = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: back, state: 's' });
    const posted = await fetch(`${auth.school.url}/oauth/logout`, { method: 'POST', body, redirect: 'manual' });
    expect(posted.status).toBe(303);
    const { left } = await person.visit(new URL(posted.headers.get('location')!, auth.school.url));
    expect(left!.href).toBe(`${back}?state=s`);
    expect(await isSignedIn()).toBe(false);
    const long = new URLSearchParams({ state: 'x'.repeat(9_000) });
    expect((await fetch(`${auth.school.url}/oauth/logout`, { method: 'POST', body: long })).status).toBe(400);
  });

  test('OIDC RP-Initiated Logout §6: nobody is signed out by a form that did not come from our page', async () => {
    const page = await logout({});
    const forged = await new Person().submit(page, { decision: 'yes' });
    expect(forged.status).toBe(403);
    const other = new Person();
    await signedIn(other, client);
    const mixed = await other.submit(await logout({}, other), { decision: 'yes', logout: 'AAAA' });
    expect([mixed.status, await isSignedIn(other), await isSignedIn()]).toEqual([403, true, true]);
  });

  test('every sign-in is a new session, and the cookie of the one before is worth nothing', async () => {
    const { url } = auth.school;
    const signInWith = async (jar: string) => {
      const page = await fetch(`${url}/oauth/account/sessions`, { headers: { cookie: jar } });
      const visit = page.headers.getSetCookie().map((line) => line.split(';')[0]);
      const csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())![1]!;
      const body = new URLSearchParams({ csrf, email: emailOf('owner'), password });
      const all = [jar, ...visit].filter(Boolean).join('; ');
      const done = await fetch(`${url}/oauth/account/sign-in`, {
        method: 'POST',
        body,
        headers: { cookie: all },
        redirect: 'manual',
      });
      expect(done.status).toBe(303);
      const set = done.headers.getSetCookie().map((line) => line.split(';')[0]!);
      return set.find((cookie) => cookie.startsWith('lyceum_session='));
    };
    const planted = 'lyceum_session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
    const first = await signInWith(planted);
    const second = await signInWith('');
    expect([typeof first, typeof second]).toEqual(['string', 'string']);
    expect(first).not.toBe(planted);
    expect(first).not.toBe(second);
  });
});
