import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, type Landed, Person, type Tokens, formsOf } from '@lyceum/testkit';
import { accountPaths } from '../local-paths.ts';
import { type TestAuth, approved, emailOf, introspect, password, startAuth } from '../testing/test-auth.ts';

let auth: TestAuth;
beforeEach(async () => {
  auth = await startAuth();
});
afterEach(() => auth.close());

const at = (path: string) => `${auth.school.url}${path}`;
const register = (name: string) => Client.register(auth.school.url, { client_name: name });

/** Connects a client, as the owner. */
async function redeemed(client: Client, scope?: string): Promise<Tokens> {
  const { code, verifier } = await approved(client, scope);
  return (await client.redeem(code, verifier)).body as Tokens;
}

/** Somebody who is signed in on the page. */
async function signedIn(path: string = accountPaths.apps, role: 'owner' | 'member' = 'owner') {
  const person = new Person();
  const page = await person.submit(await person.visit(at(path)), { email: emailOf(role), password });
  return { person, page };
}

/** Sends the form of the page that has these hidden fields. */
async function press(person: Person, page: Landed, fields: Readonly<Record<string, string>>): Promise<Landed> {
  const form = formsOf(page.text, page.url).find((each) =>
    Object.entries(fields).every(([name, value]) => each.fields.some(([n, v]) => n === name && v === value)),
  )!;
  const only = { ...page, text: page.text.replace(/<form[\s\S]*<\/form>/, formText(form)) };
  return person.submit(only, {});
}
const formText = ({ action, fields }: ReturnType<typeof formsOf>[number]) =>
  `<form action="${action}">${fields.map(([name, value]) => `<input name="${name}" value="${value}">`).join('')}</form>`;

describe('the pages of a signed-in person', () => {
  test('ask whoever is not signed in to do so, and then show what was asked for', async () => {
    const person = new Person();
    const asked = await person.visit(at(accountPaths.sessions));
    expect(asked.status).toBe(200);
    expect(asked.text).toContain('Use your account at <bdi>Test School</bdi>.');
    const wrong = await person.submit(asked, { email: emailOf('owner'), password: 'wrong' });
    expect([wrong.status, wrong.text.includes('aria-invalid="true"')]).toEqual([401, true]);
    const shown = await person.submit(wrong, { email: emailOf('owner'), password });
    expect([shown.status, new URL(shown.url).pathname]).toEqual([200, accountPaths.sessions]);
    expect(shown.text).toContain('<h1>Where you are signed in</h1>');
  });

  test('RFC 9700 §4.11: lead to no other address after the sign-in', async () => {
    const person = new Person();
    const asked = await person.visit(at(accountPaths.apps));
    for (const to of ['https://evil.test/', '//evil.test', '/oauth/authorize'])
      expect(formsOf(asked.text, asked.url)[0]?.fields).not.toContainEqual(['to', to]);
    const landed = await person.submit(asked, { email: emailOf('owner'), password, to: '//evil.test' });
    expect([landed.left, new URL(landed.url).pathname]).toEqual([undefined, accountPaths.apps]);
  });

  test('begin at the connected apps', async () => {
    const { page } = await signedIn(accountPaths.account);
    expect(new URL(page.url).pathname).toBe(accountPaths.apps);
    expect(page.text).toContain('No app is connected');
  });

  test('show an app with what it may do, and nothing that was never redeemed', async () => {
    const client = await register('Course <sync>');
    await redeemed(client, 'openid courses:read');
    await approved(await register('Never came back'));
    const { page } = await signedIn();
    expect(page.text).toContain('<strong>Course &lt;sync&gt;</strong>');
    expect(page.text).toContain('2 permissions');
    expect(page.text).toContain('<code>courses:read</code>');
    expect(page.text).toMatch(/<code>127\.0\.0\.1(:\d+)?<\/code>/);
    expect(page.text).not.toContain('Never came back');
  });

  test('show nothing of another person, nor of another school', async () => {
    const client = await register('Mine');
    await redeemed(client);
    const { page } = await signedIn(accountPaths.apps, 'member');
    expect(page.text).toContain('No app is connected');
    const other = new Person();
    const there = await other.visit(`${auth.other.url}${accountPaths.apps}`);
    const shown = await other.submit(there, { email: emailOf('owner'), password });
    expect(shown.text).toContain('No app is connected');
  });

  test('disconnect an app: all its grants end at once, those of others stay', async () => {
    const [gone, kept] = [await register('Gone'), await register('Kept')];
    const tokens = [];
    for (const client of [gone, gone, kept]) tokens.push(await redeemed(client));
    const { person, page } = await signedIn();
    const after = await press(person, page, { client: gone.id });
    expect(new URL(after.url).search).toBe('?done');
    expect(after.text).toContain('The app is disconnected.');
    expect([after.text.includes('>Gone<'), after.text.includes('>Kept<')]).toEqual([false, true]);
    const active = [];
    for (const [index, client] of [gone, gone, kept].entries()) {
      const { body } = await introspect(auth.school, client.id, tokens[index]!.access_token);
      active.push((body as { active: boolean }).active);
    }
    expect(active).toEqual([false, false, true]);
  });

  test('list the browsers, mark this one, and sign another out', async () => {
    const elsewhere = await signedIn(accountPaths.sessions);
    auth.clock.advance(60_000);
    const { person, page } = await signedIn(accountPaths.sessions);
    expect(page.text.match(/class="item[ "]/g)).toHaveLength(2);
    expect(page.text.match(/This browser/g)).toHaveLength(1);
    expect(page.text).toContain('<code>192.0.2.1</code>');
    const sids = formsOf(page.text, page.url).flatMap(({ fields }) => fields.filter(([name]) => name === 'session'));
    const other = sids.at(-1)![1];
    const after = await press(person, page, { session: other });
    expect(after.text).toContain('That browser is signed out.');
    expect(after.text.match(/class="item[ "]/g)).toHaveLength(1);
    expect((await elsewhere.person.visit(at(accountPaths.sessions))).text).toContain('<h1>Sign in</h1>');
  });

  test('signed out of this browser, lead to the sign-in page', async () => {
    const { person, page } = await signedIn(accountPaths.sessions);
    const [sid] = formsOf(page.text, page.url).flatMap(({ fields }) => fields.filter(([name]) => name === 'session'));
    const after = await press(person, page, { session: sid![1] });
    expect(after.text).toContain('<h1>Sign in</h1>');
  });

  test('sign out everywhere: every session, grant, refresh token and code from before is void', async () => {
    const client = await register('Agent');
    const tokens = await redeemed(client);
    const waiting = await approved(client);
    const elsewhere = await signedIn();
    const { person, page } = await signedIn(accountPaths.sessions);
    auth.clock.advance(2_000);
    const form = formsOf(page.text, page.url).find(({ action }) => action.endsWith(accountPaths.everywhere))!;
    const everywhere = { ...page, text: formText(form) };
    const over = await person.submit(everywhere, {});
    expect(over.text).toContain('<h1>You are signed out everywhere</h1>');
    for (const each of [person, elsewhere.person])
      expect((await each.visit(at(accountPaths.apps))).text).toContain('<h1>Sign in</h1>');
    expect((await introspect(auth.school, client.id, tokens.access_token)).body).toEqual({ active: false });
    expect((await client.refresh(tokens.refresh_token!)).status).toBe(400);
    expect((await client.redeem(waiting.code, waiting.verifier)).status).toBe(400);
  });

  test('RFC 6749 §10.12: take no form that another site, browser or sign-in has made', async () => {
    const { person, page } = await signedIn();
    const stranger = await signedIn(accountPaths.apps, 'member');
    const [mine] = formsOf((await person.visit(at(accountPaths.sessions))).text, page.url);
    const forged = { ...page, text: `<form action="${at(accountPaths.everywhere)}"></form>` };
    expect((await person.submit(forged, {})).status).toBe(403);
    const csrf = mine!.fields.find(([name]) => name === 'csrf')![1];
    expect((await stranger.person.submit(forged, { csrf })).status).toBe(403);
    expect((await person.submit(forged, { csrf: `${csrf.slice(0, -2)}AA` })).status).toBe(403);
    expect((await person.visit(at(accountPaths.apps))).text).toContain('<h1>Connected apps</h1>');
  });
});
