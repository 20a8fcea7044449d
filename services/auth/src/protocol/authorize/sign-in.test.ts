import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, type Landed, Person, codeOf, formsOf } from '@lyceum/testkit';
import { decodeJwt } from 'jose';
import { type TestAuth, approved, emailOf, password, startAuth } from '../../testing/test-auth.ts';

let auth: TestAuth;
let client: Client;
beforeAll(async () => {
  auth = await startAuth();
  client = await Client.register(auth.school.url);
});
afterAll(() => auth.close());

const right = { email: emailOf('owner'), password };
const isSignIn = (page: Landed) => page.text.includes('name="password"');
const isConsent = (page: Landed) => page.text.includes('name="decision"');
const fieldsOf = (page: Landed) => Object.fromEntries(formsOf(page.text, page.url)[0]!.fields);

/** A person who is signed in, on the consent page. */
async function signedIn(more: Record<string, string> = {}) {
  const person = new Person();
  const { url, verifier } = client.start('openid profile courses:read courses:write', more);
  const consent = await person.submit(await person.visit(url), right);
  return { person, consent, verifier };
}

describe('sign-in', () => {
  test('OIDC Core §3.1.2.3: a wrong password and an unknown account get the same page, 401 and one sentence', async () => {
    const person = new Person();
    const page = await person.visit(client.start('openid').url);
    const wrong = await person.submit(page, { ...right, password: 'wrong' });
    const unknown = await person.submit(page, { email: 'nobody@school.test', password: 'wrong' });
    const empty = await person.submit(page, { email: '', password: '' });
    expect([wrong.status, unknown.status, empty.status]).toEqual([401, 401, 401]);
    const sentence = /<p class="problem"[^>]*>([^<]*)</;
    expect(sentence.exec(wrong.text)?.[1]).toMatch(/not right/);
    expect(sentence.exec(unknown.text)?.[1]).toBe(sentence.exec(wrong.text)?.[1]);
    expect(wrong.text).toContain(`value="${right.email}"`);
    expect(wrong.text).not.toContain('value="wrong"');
  });

  test('two spellings of an e-mail address are one account', async () => {
    const person = new Person();
    const page = await person.visit(client.start('openid').url);
    expect(isConsent(await person.submit(page, { email: ' OWNER@School.test ', password }))).toBe(true);
  });

  test('RFC 6265 §4.1.2: the session cookie is HttpOnly, SameSite=Lax and new at every sign-in', async () => {
    const setCookies: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      auth.clock.advance(1);
      const page = await fetch(client.start('openid', { prompt: 'login' }).url, {
        headers: { cookie: setCookies.join('; ') },
      });
      const visit = page.headers
        .getSetCookie()
        .find((line) => line.startsWith('lyceum_visit='))!
        .split(';')[0]!;
      const landed = { url: page.url, text: await page.text() } as Landed;
      const response = await fetch(`${auth.school.url}/oauth/sign-in`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: `${visit}; lyceum_session=${'A'.repeat(43)}` },
        body: new URLSearchParams({ ...fieldsOf(landed), ...right }),
      });
      expect(response.status).toBe(303);
      const line = response.headers.getSetCookie().find((each) => each.startsWith('lyceum_session='))!;
      expect(line).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600$/);
      setCookies.push(line.split(';')[0]!);
    }
    expect(new Set([...setCookies, `lyceum_session=${'A'.repeat(43)}`]).size).toBe(3);
  });

  test('OIDC Core §3.1.2.3: a signed-in person is not asked for the password again, until 14 days have passed', async () => {
    const { person } = await signedIn();
    expect(isConsent(await person.visit(client.start('openid').url))).toBe(true);
    auth.clock.advance(14 * 86_400_000);
    expect(isSignIn(await person.visit(client.start('openid').url))).toBe(true);
  });

  test.each([{ prompt: 'login' }, { prompt: 'select_account' }, { max_age: '0' }, { max_age: '60' }])(
    'OIDC Core §3.1.2.1: %j asks a signed-in person again, once',
    async (more) => {
      const { person, verifier: _ } = await signedIn();
      auth.clock.advance(61_000);
      const { url, verifier } = client.start('openid', more);
      const page = await person.visit(url);
      expect(isSignIn(page)).toBe(true);
      auth.clock.advance(5_000);
      const consent = await person.submit(page, right);
      expect(isConsent(consent)).toBe(true);
      const back = await person.submit(consent, { decision: 'approve' });
      const { body } = await client.redeem(codeOf(back), verifier);
      expect(decodeJwt(body.id_token)['auth_time']).toBe(Math.floor(auth.clock.now() / 1000));
    },
  );

  test.each([{ prompt: 'login' }, { max_age: '0' }])(
    'OIDC Core §3.1.2.1: %j is not satisfied by a sign-in of the same second',
    async (more) => {
      const { person } = await signedIn();
      auth.clock.advance(1);
      expect(isSignIn(await person.visit(client.start('openid', more).url))).toBe(true);
    },
  );

  test('OIDC Core §3.1.2.1: a sign-in younger than max_age is good', async () => {
    const { person } = await signedIn();
    auth.clock.advance(59_000);
    expect(isConsent(await person.visit(client.start('openid', { max_age: '60' }).url))).toBe(true);
  });

  test('OIDC Core §3.1.2.6: prompt none asks nothing: login_required, or consent_required', async () => {
    const { person } = await signedIn();
    const { left } = await person.visit(client.start('openid', { prompt: 'none' }).url);
    expect(left!.searchParams.get('error')).toBe('consent_required');
    auth.clock.advance(61_000);
    const late = await person.visit(client.start('openid', { prompt: 'none', max_age: '60' }).url);
    expect(late.left!.searchParams.get('error')).toBe('login_required');
  });

  test.each(['csrf', 'interaction'])(
    'RFC 9700 §4.7: a form without %s is refused with a page and changes nothing',
    async (name) => {
      for (const value of ['', 'x', 'A'.repeat(60)]) {
        const person = new Person();
        const page = await person.visit(client.start('openid').url);
        const refused = await person.submit(page, { ...right, [name]: value });
        expect(refused.status).toBe(name === 'csrf' ? 403 : 400);
        expect(refused.left).toBeUndefined();
        expect(isSignIn(await person.visit(client.start('openid').url))).toBe(true);
      }
    },
  );

  test('RFC 9700 §4.7: a form of one browser is refused in another', async () => {
    const page = await new Person().visit(client.start('openid').url);
    const victim = new Person();
    await victim.visit(client.start('openid').url);
    expect((await victim.submit(page, right)).status).toBe(400);
    expect((await new Person().submit(page, right)).status).toBe(400);
  });

  test('a sealed request that was altered, or that is of another school, is refused', async () => {
    const person = new Person();
    const page = await person.visit(client.start('openid').url);
    const sealed = fieldsOf(page)['interaction']!;
    for (let at = 0; at < sealed.length; at += 37) {
      const altered = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
      expect((await person.submit(page, { ...right, interaction: altered })).status).toBe(400);
    }
    const there = { ...page, url: page.url.replace(auth.school.url, auth.other.url) };
    expect((await person.submit(there, right)).status).toBe(400);
  });

  test('a page is good for an hour', async () => {
    const person = new Person();
    const page = await person.visit(client.start('openid').url);
    auth.clock.advance(3_600_000);
    const late = await person.submit(page, right);
    expect([late.status, late.text]).toEqual([400, expect.stringContaining('expired')]);
  });

  test('RFC 9700 §4.11.2: no address in a form can send the browser elsewhere', async () => {
    const person = new Person();
    const page = await person.visit(client.start('openid').url);
    const form = { ...right, redirect_uri: 'https://evil.test', return_to: 'https://evil.test', client_id: 'x' };
    expect(isConsent(await person.submit(page, form))).toBe(true);
  });
});

describe('consent', () => {
  test('RFC 6749 §4.1.2.1: deny is access_denied', async () => {
    const { person, consent } = await signedIn();
    const { left } = await person.submit(consent, { decision: 'deny' });
    expect(left!.searchParams.get('error')).toBe('access_denied');
    expect(left!.searchParams.get('iss')).toBe(auth.school.url);
  });

  test('who allows with nothing ticked is told so and asked again, and no client hears of it', async () => {
    const { person, consent, verifier } = await signedIn();
    const again = await person.submit(consent, { decision: 'approve', scope: [] });
    expect([again.status, again.left, isConsent(again)]).toEqual([400, undefined, true]);
    expect(again.text).toContain('You have ticked nothing.');
    const back = await person.submit(again, { decision: 'approve', scope: ['openid'] });
    expect((await client.redeem(codeOf(back), verifier)).status).toBe(200);
  });

  test('who is signed in with the wrong account signs in with another one, for this request', async () => {
    const { person, consent, verifier } = await signedIn();
    const another = /href="([^"]*&amp;another=1)"/.exec(consent.text)![1]!.replaceAll('&amp;', '&');
    const page = await person.visit(new URL(another, consent.url).href);
    expect([page.status, isSignIn(page)]).toEqual([200, true]);
    const theirs = await person.submit(page, { email: emailOf('member'), password });
    expect([isConsent(theirs), theirs.text.includes(emailOf('member'))]).toEqual([true, true]);
    const back = await person.submit(theirs, { decision: 'approve' });
    expect((await client.redeem(codeOf(back), verifier)).status).toBe(200);
  });

  test('OIDC Core §3.1.2.1: a client that names the person by id_token_hint is offered nobody else', async () => {
    const { person, consent, verifier } = await signedIn();
    const { body } = await client.redeem(codeOf(await person.submit(consent, { decision: 'approve' })), verifier);
    const { url } = client.start('openid', { id_token_hint: String(body.id_token) });
    const hinted = await person.visit(url);
    expect([isConsent(hinted), hinted.text.includes('another=1')]).toEqual([true, false]);
  });

  test('RFC 6749 §3.3: only what is ticked is granted, and never more than was asked for', async () => {
    const { person, consent, verifier } = await signedIn();
    const back = await person.submit(consent, {
      decision: 'approve',
      scope: ['openid', 'courses:read', 'orders:read'],
    });
    const { body } = await client.redeem(codeOf(back), verifier);
    expect(body.scope).toBe('openid courses:read');
  });

  test('RFC 6749 §3.3: a role narrows what can be granted', async () => {
    const scope = 'openid courses:read courses:write orders:read';
    const codes = await Promise.all(
      (['owner', 'lecturer', 'member'] as const).map((role) => approved(client, scope, { role })),
    );
    const scopes = await Promise.all(
      codes.map(async ({ code, verifier }) => (await client.redeem(code, verifier)).body.scope),
    );
    expect(scopes).toEqual([scope, 'openid courses:read courses:write', 'openid courses:read']);
  });

  test('RFC 6749 §3.3: nothing that the role may hold is invalid_scope', async () => {
    const person = new Person();
    const page = await person.visit(client.start('orders:read').url);
    const { left } = await person.submit(page, { email: emailOf('member'), password });
    expect(left!.searchParams.get('error')).toBe('invalid_scope');
  });

  test.each(['offline_access', 'address', 'phone'])('OIDC Core §11: %s is ignored', async (name) => {
    const { code, verifier } = await approved(client, `openid ${name}`);
    expect((await client.redeem(code, verifier)).body.scope).toBe('openid');
  });

  test('RFC 6749 §3.3: without scope it is what the client registered, else openid profile', async () => {
    const stated = await Client.register(auth.school.url, { scope: 'openid courses:read' });
    for (const [of, scope] of [
      [stated, 'openid courses:read'],
      [client, 'openid profile'],
    ] as const) {
      const { code, verifier } = await approved(of, '');
      expect((await of.redeem(code, verifier)).body.scope).toBe(scope);
    }
  });

  test.each(['csrf', 'interaction'])('RFC 9700 §4.7: a decision without %s is refused with a page', async (name) => {
    const { person, consent } = await signedIn();
    const refused = await person.submit(consent, { decision: 'approve', [name]: '' });
    expect([refused.status, refused.left]).toEqual([name === 'csrf' ? 403 : 400, undefined]);
  });

  test('RFC 9700 §4.7: the tag of the sign-in form does not pass for that of consent, nor that of another session', async () => {
    const person = new Person();
    const page = await person.visit(client.start('openid').url);
    const consent = await person.submit(page, right);
    const csrf = fieldsOf(page)['csrf']!;
    expect((await person.submit(consent, { decision: 'approve', csrf })).status).toBe(403);
    auth.clock.advance(1);
    await person.submit(await person.visit(client.start('openid', { prompt: 'login' }).url), right);
    expect((await person.submit(consent, { decision: 'approve' })).status).toBe(403);
  });

  test('a decision that is neither is a page', async () => {
    const { person, consent } = await signedIn();
    expect((await person.submit(consent, { decision: 'maybe' })).status).toBe(400);
  });

  test('when the session is over, the person is asked to sign in, not told off', async () => {
    const { consent } = await signedIn();
    const person = new Person();
    const again = await person.visit(client.start('openid').url);
    expect(isSignIn(again)).toBe(true);
    const { interaction } = fieldsOf(again);
    const landed = await person.submit(
      { ...consent, url: consent.url },
      { decision: 'approve', interaction: interaction! },
    );
    expect(isSignIn(landed)).toBe(true);
  });
});
