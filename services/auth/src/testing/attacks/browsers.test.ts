import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@lyceum/testkit';
import { sessionCookie } from '@lyceum/web';
import { browserCookie } from '../../http/cookies/cookies.ts';
import { type TestAuth, emailOf, password, startAuth } from '../test-auth.ts';
import { Browser, type Page, formOf } from './attack.ts';

const right = { email: emailOf('owner'), password };
const session = 'lyceum_session';
const visit = 'lyceum_visit';

/** Somebody lures a person, or sits in a neighbouring site. */
describe('an attacker of browsers', () => {
  let auth: TestAuth;
  let client: Client;
  beforeAll(async () => {
    auth = await startAuth();
    client = await Client.register(auth.school.url);
  });
  afterAll(() => auth.close());

  /** Signs in up to the consent page. */
  async function signedIn(browser = new Browser()): Promise<{ browser: Browser; consent: Page }> {
    const page = await browser.go(client.start('openid').url);
    return { browser, consent: await browser.follow(await browser.send(formOf(page), right)) };
  }
  const hasSession = async (browser: Browser): Promise<boolean> =>
    !(await browser.go(client.start('openid').url)).text.includes('name="password"');

  test('a session fixed before the sign-in stays worthless: the sign-in makes a new one', async () => {
    const victim = new Browser();
    const planted = 'A'.repeat(43);
    victim.cookies.set(session, planted);
    await signedIn(victim);
    expect(victim.cookies.get(session)).not.toBe(planted);
    const attacker = new Browser();
    attacker.cookies.set(session, planted);
    expect(await hasSession(attacker)).toBe(false);
  });

  test('a sign-in ends the session that the browser had before, also for whoever copied it', async () => {
    const { browser } = await signedIn();
    const copy = new Browser();
    copy.cookies.set(session, browser.cookies.get(session)!);
    expect(await hasSession(copy)).toBe(true);
    auth.clock.advance(1);
    const page = await browser.go(client.start('openid', { prompt: 'login' }).url);
    await browser.send(formOf(page), { email: emailOf('member'), password });
    expect(await hasSession(copy)).toBe(false);
  });

  test('RFC 9700 §4.7: nobody can be signed in as the attacker: a prepared form of another browser is refused', async () => {
    const attacker = new Browser();
    const prepared = formOf(await attacker.go(client.start('openid').url));
    const victim = new Browser();
    await victim.go(client.start('openid').url);
    const landed = await victim.send(prepared, right);
    expect([landed.status, landed.headers.get('location')]).toEqual([400, null]);
    expect(await hasSession(victim)).toBe(false);
  });

  test('RFC 9700 §4.7: nobody agrees by a form that another site posts: the tag of the page is needed, and the session', async () => {
    const { browser, consent } = await signedIn();
    const { action, fields } = formOf(consent);
    const blind = { action, fields: fields.filter(([name]) => name !== 'csrf') };
    expect((await browser.send(blind, { decision: 'approve' })).status).toBe(403);
    const elsewhere = await new Browser().send(formOf(consent), { decision: 'approve' });
    expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([400, null]);
  });

  test('RFC 9700 §4.7: a visit cookie that the attacker planted does not make their page pass after the sign-in', async () => {
    const attacker = new Browser();
    await attacker.go(client.start('openid').url);
    const victim = new Browser();
    victim.cookies.set(visit, attacker.cookies.get(visit)!);
    const { consent } = await signedIn(victim);
    const stolen = await attacker.send(formOf(consent), { decision: 'approve' });
    expect(stolen.headers.get('location') ?? '').not.toContain('code=');
  });

  test('RFC 6265 §8.6: off loopback a neighbouring host cannot set our cookies: their names say __Host-', () => {
    for (const cookie of [sessionCookie('https://school.example'), browserCookie('https://school.example')])
      expect([cookie.name.startsWith('__Host-'), cookie.secure]).toEqual([true, true]);
  });

  test('RFC 9700 §4.16: no page stands in a frame, neither forms nor errors', async () => {
    const { consent } = await signedIn();
    const pages = [
      await new Browser().go(client.start('openid').url),
      consent,
      await new Browser().go(`${auth.school.url}/oauth/authorize?client_id=nobody`),
      await new Browser().go(`${auth.school.url}/oauth/sign-in`, { method: 'POST', body: new URLSearchParams() }),
    ];
    for (const { headers } of pages) {
      expect(headers.get('content-type')).toContain('text/html');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
  });

  test('RFC 9700 §4.2.4: no page tells another site where the person was, and none is kept', async () => {
    for (const page of [await new Browser().go(client.start('openid').url), (await signedIn()).consent]) {
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(page.text).not.toMatch(/<(?:img|script|iframe|link)[^>]+(?:src|href)="(?:https?:)?\/\//);
    }
  });

  test.each([
    ['an unregistered address', { redirect_uri: 'http://127.0.0.1/elsewhere' }],
    ['another host', { redirect_uri: 'https://evil.example/callback' }],
    ['a host in the userinfo', { redirect_uri: 'http://127.0.0.1:53682@evil.example/callback' }],
    ['a host after a backslash', { redirect_uri: 'http://127.0.0.1:53682\\@evil.example/callback' }],
    ['a fragment', { redirect_uri: 'http://127.0.0.1:53682/callback#@evil.example' }],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
    ['no address', { redirect_uri: '' }],
    ['an unknown client', { client_id: 'client_none' }],
  ])('RFC 9700 §4.11.2: with %s nobody is sent anywhere, whatever else is wrong', async (_, wrong) => {
    for (const more of [{}, { response_type: 'token' }, { prompt: 'none' }, { scope: 'nonsense' }, { max_age: '-' }]) {
      const { url } = client.start('openid', { ...wrong, ...more });
      const { status, headers } = await new Browser().go(url);
      expect([status, headers.get('location')]).toEqual([400, null]);
    }
  });

  test('RFC 9700 §4.12: a form with a password is answered with 303, which no browser posts again', async () => {
    const browser = new Browser();
    const page = await browser.go(client.start('openid').url);
    const { status, headers } = await browser.send(formOf(page), right);
    expect([status, new URL(headers.get('location')!, page.url).origin]).toEqual([303, auth.school.url]);
  });

  test('what is written into a request is text on the page, never markup', async () => {
    const markup = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`;
    const evil = await Client.register(auth.school.url, { client_name: markup });
    const asked = evil.start('openid', { login_hint: markup, state: markup, ui_locales: markup });
    const browser = new Browser();
    const signIn = await browser.go(asked.url);
    const wrong = await browser.send(formOf(signIn), { email: markup, password: markup });
    const pages = [
      signIn,
      wrong,
      await browser.follow(await browser.send(formOf(signIn), right)),
      await browser.go(`${auth.school.url}/oauth/authorize?client_id=${encodeURIComponent(markup)}`),
    ];
    for (const { text } of pages) {
      expect(text).not.toContain('<script');
      expect(text).not.toContain('<img');
    }
    expect(pages.map(({ status }) => status)).toEqual([200, 401, 200, 400]);
  });

  test('a header cannot be split by what comes back in a redirect', async () => {
    const asked = client.start('openid', { state: 'a\r\nSet-Cookie: lyceum_session=planted', prompt: 'none' });
    const { status, headers } = await new Browser().go(asked.url);
    expect([status, headers.getSetCookie().join().includes('planted')]).toEqual([303, false]);
    expect(new URL(headers.get('location')!).searchParams.get('state')).toBe('a\r\nSet-Cookie: lyceum_session=planted');
  });
});
