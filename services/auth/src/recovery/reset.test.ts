import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Person, type Tokens, post } from '@lyceum/testkit';
import { type TestAuth, approved, emailOf, password, startAuth, userinfo } from '../testing/test-auth.ts';
import { type TestMails, linkIn, startMails } from '../testing/test-mails.ts';

const fresh = 'seven green herons at dawn';

describe('a forgotten password', () => {
  let auth: TestAuth;
  let letters: TestMails;
  beforeAll(async () => {
    auth = await startAuth();
    letters = await startMails(auth);
  });
  afterAll(async () => {
    await letters.close();
    await auth.close();
  });

  const ask = async (email: string, person = new Person()) => {
    auth.clock.advance(61_000);
    const before = (await letters.sent()).length;
    const answer = await person.submit(await person.visit(`${auth.school.url}/oauth/reset`), { email });
    return { answer, mails: (await letters.sent()).slice(before) };
  };
  const set = async (link: string, to: string, person = new Person()) => {
    const page = await person.visit(link);
    return page.status === 200 ? person.submit(page, { password: to }) : page;
  };
  const signIn = async (email: string, using: string) => {
    const person = new Person();
    const page = await person.visit(`${auth.school.url}/oauth/account/apps`);
    return (await person.submit(page, { email, password: using })).status;
  };

  test('is answered alike, page and headers, whether there is an account or not; only the owner gets a mail', async () => {
    const known = await ask(emailOf('owner'));
    const unknown = await ask('nobody@school.test');
    const plain = (text: string) => text.replaceAll(/value="[^"]*"/g, '');
    expect(plain(known.answer.text)).toBe(plain(unknown.answer.text));
    expect([known.answer.status, unknown.answer.status]).toEqual([200, 200]);
    expect(known.mails.map(({ to }) => to)).toEqual([emailOf('owner')]);
    expect(unknown.mails).toEqual([]);
  });

  test('every page leads on: to another link after the ask and after a link that is used, to signing in after the reset', async () => {
    const { answer, mails } = await ask(emailOf('owner'));
    const link = linkIn(mails[0]!);
    const done = await set(link, `${fresh} again`);
    const used = await set(link, fresh);
    expect([answer, done, used].map(({ status }) => status)).toEqual([200, 200, 400]);
    expect(answer.text).toContain('href="/oauth/reset"');
    expect(done.text).toContain('href="/oauth/account"');
    expect(used.text).toContain('href="/oauth/reset"');
  });

  test('an address gets one mail a minute, whoever asks', async () => {
    await ask(emailOf('owner'));
    const person = new Person();
    await person.submit(await person.visit(`${auth.school.url}/oauth/reset`), { email: ' OWNER@school.test ' });
    const count = (await letters.sent()).length;
    expect((await ask(emailOf('owner'))).mails).toHaveLength(1);
    expect((await letters.sent()).length).toBe(count + 1);
  });

  test('the link leads to the school by its issuer, tells its token to nobody, and looking at its page uses nothing up', async () => {
    const [mail] = (await ask(emailOf('owner'))).mails;
    const link = linkIn(mail!);
    expect(new URL(link).origin).toBe(auth.school.url);
    const page = await new Person().visit(link);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.text).not.toMatch(/(src|href)="https?:/);
    expect((await new Person().visit(link)).status).toBe(200);
  });

  test('a new password ends every sign-in, grant and token from before, and its owner is told', async () => {
    const client = await Client.register(auth.school.url);
    const { verifier, code } = await approved(client, 'openid email', { role: 'lecturer' });
    const tokens = (await client.redeem(code, verifier)).body as unknown as Tokens;
    const signedIn = new Person();
    const own = `${auth.school.url}/oauth/account/sessions`;
    await signedIn.submit(await signedIn.visit(own), { email: emailOf('lecturer'), password });
    const [mail] = (await ask(emailOf('lecturer'))).mails;

    const done = await set(linkIn(mail!), fresh);
    expect(done.status).toBe(200);
    expect(await signIn(emailOf('lecturer'), password)).toBe(401);
    expect(await signIn(emailOf('lecturer'), fresh)).toBe(200);
    expect((await signedIn.visit(own)).text).toContain('name="password"');
    expect((await userinfo(auth.school, tokens.access_token)).status).toBe(401);
    const refreshed = await post(`${auth.school.url}/api/oauth/token`, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token!,
      client_id: client.id,
    });
    expect([refreshed.status, refreshed.body['error']]).toEqual([400, 'invalid_grant']);
    const told = (await letters.sent()).at(-1)!;
    expect([told.to, told.subject]).toEqual([emailOf('lecturer'), 'Your password at Test School was changed']);
  });

  test('a link works once, also when it is used twice at the same time, and dies with any new password', async () => {
    const [mail] = (await ask(emailOf('member'))).mails;
    const [later] = (await ask(emailOf('member'))).mails;
    const pages = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const person = new Person();
        return [person, await person.visit(linkIn(mail!))] as const;
      }),
    );
    const answers = await Promise.all(
      pages.map(([person, page], at) => person.submit(page, { password: `${fresh} ${at}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    for (const link of [linkIn(mail!), linkIn(later!)]) expect((await set(link, fresh)).status).toBe(400);
  });

  test('a link expires after 30 minutes, and is good for nothing at another school or when it was altered', async () => {
    const [mail] = (await ask(emailOf('owner'))).mails;
    const link = linkIn(mail!);
    for (const wrong of [link.slice(0, -3), link.replace(auth.school.url, auth.other.url), link.split('?')[0]!])
      expect((await set(wrong, fresh)).status).toBe(400);
    auth.clock.advance(30 * 60_000);
    expect((await set(link, fresh)).status).toBe(400);
  });

  test('a weak password is refused with what would do, and the link stays good', async () => {
    const [mail] = (await ask(emailOf('owner'))).mails;
    const person = new Person();
    const page = await person.visit(linkIn(mail!));
    for (const [weak, why] of [
      ['short', 'too short'],
      ['Password123', 'Many people use'],
      ['testschool1', 'made of your name'],
    ] as const) {
      const refused = await person.submit(page, { password: weak });
      expect([refused.status, refused.text.includes(why)]).toEqual([400, true]);
    }
    expect((await person.submit(page, { password: fresh })).status).toBe(200);
  });

  test('RFC 6749 §10.12: the forms work only from our own pages in the same browser', async () => {
    const page = await new Person().visit(`${auth.school.url}/oauth/reset`);
    expect((await new Person().submit(page, { email: emailOf('owner') })).status).toBe(403);
    const [mail] = (await ask(emailOf('owner'))).mails;
    const reset = await new Person().visit(linkIn(mail!));
    expect((await new Person().submit(reset, { password: fresh })).status).toBe(403);
  });

  test('the mail comes in the language of the page on which it was asked for, and no header chooses where its link leads', async () => {
    auth.clock.advance(61_000);
    const { url } = auth.school;
    const page = await fetch(`${url}/oauth/reset`, { headers: { 'accept-language': 'de' } });
    const cookie = page.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())![1]!;
    const body = new URLSearchParams({ email: emailOf('owner'), csrf });
    const elsewhere = { host: 'evil.test', 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' };
    const headers = { cookie, 'accept-language': 'de', ...elsewhere };
    await fetch(`${url}/oauth/reset`, { method: 'POST', body, headers });
    const mail = (await letters.sent()).at(-1)!;
    expect(mail.subject).toBe('Neues Passwort bei Test School festlegen');
    expect([new URL(linkIn(mail)).origin, JSON.stringify(mail).includes('evil')]).toEqual([url, false]);
  });

  test('a mail server that is away delays the mail and loses nothing', async () => {
    const before = (await letters.sent()).length;
    letters.mail.failNext(2);
    expect((await ask(emailOf('owner'))).mails).toEqual([]);
    await letters.later(6_000);
    await letters.later(16_000);
    const mails = (await letters.sent()).slice(before);
    expect(mails.map(({ to }) => to)).toEqual([emailOf('owner')]);
    expect((await new Person().visit(linkIn(mails[0]!))).status).toBe(200);
  });

  test('no log line tells an address, a token or a password', () => {
    const all = auth.lines.join('\n');
    for (const planted of ['@school.test', 'token=', fresh, password]) expect(all).not.toContain(planted);
  });
});
