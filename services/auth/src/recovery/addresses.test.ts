import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Role } from '@lyceum/contracts';
import { Client, Person, call } from '@lyceum/testkit';
import { type TestAuth, emailOf, password, startAuth, userinfo } from '../testing/test-auth.ts';
import { type TestMails, linkIn, startMails } from '../testing/test-mails.ts';

describe('the e-mail address of a person', () => {
  let auth: TestAuth;
  let letters: TestMails;
  let client: Client;
  beforeAll(async () => {
    auth = await startAuth();
    letters = await startMails(auth);
    client = await Client.register(auth.school.url);
  });
  afterAll(async () => {
    await letters.close();
    await auth.close();
  });

  const tokenOf = async (email: string, scope = 'openid email account:write') =>
    (await client.tokens(email, password, scope)).access_token;
  const ask = async (token: string, email: unknown) => {
    auth.clock.advance(61_000);
    const before = (await letters.sent()).length;
    await auth.settled();
    const answer = await call(`${auth.school.url}/api/account/email`, { method: 'POST', token, json: { email } });
    return { answer, mails: (await letters.sent()).slice(before) };
  };
  const follow = async (link: string, person = new Person()) => {
    const page = await person.visit(link);
    return page.status === 200 ? person.submit(page, { decision: 'yes' }) : page;
  };
  const claims = async (token: string) =>
    (await (await userinfo(auth.school, token)).json()) as Record<string, unknown>;

  test('OIDC Core §5.1: email_verified is true only after the link in the mail was confirmed, not by opening it', async () => {
    const token = await tokenOf(emailOf('owner'));
    expect(await claims(token)).toMatchObject({ email: emailOf('owner'), email_verified: false });
    const { answer, mails } = await ask(token, emailOf('owner'));
    expect([answer.status, mails.map(({ to }) => to)]).toEqual([202, [emailOf('owner')]]);
    expect((await new Person().visit(linkIn(mails[0]!))).text).toContain('Yes, confirm');
    expect(await claims(token)).toMatchObject({ email_verified: false });
    expect((await follow(linkIn(mails[0]!))).text).toContain('is confirmed');
    expect(await claims(token)).toMatchObject({ email_verified: true });
    expect((await follow(linkIn(mails[0]!))).status).toBe(200);
    expect((await ask(token, emailOf('owner'))).mails).toEqual([]);
  });

  test('OIDC Core §5.1: who is signed in may have the link for email_verified sent again, once a minute', async () => {
    const person = new Person();
    const signIn = await person.visit(`${auth.school.url}/oauth/account/apps`);
    const apps = await person.submit(signIn, { email: emailOf('lecturer'), password });
    expect(apps.text).toContain('href="/oauth/account/email"');
    const mails = async () => (await letters.sent()).filter(({ to }) => to === emailOf('lecturer'));
    const send = async () => {
      const page = await person.visit(`${auth.school.url}/oauth/account/email`);
      expect(page.text).toContain(emailOf('lecturer'));
      return person.submit(page, {});
    };
    for (let times = 0; times < 2; times += 1) expect((await send()).text).toContain('is on its way');
    expect(await mails()).toHaveLength(1);
    auth.clock.advance(61_000);
    await send();
    expect(await mails()).toHaveLength(2);
    expect((await follow(linkIn((await mails())[1]!))).text).toContain('is confirmed');
    const after = await person.visit(`${auth.school.url}/oauth/account/email`);
    expect([after.text.includes('is confirmed'), after.text.includes('<form')]).toEqual([false, false]);
    expect(after.text).toContain('You confirmed it earlier');
    expect((await person.visit(`${auth.school.url}/oauth/account/apps`)).text).not.toContain('/oauth/account/email');
  });

  test('neither somebody else nor their form has a mail sent', async () => {
    const person = new Person();
    const stranger = await person.visit(`${auth.school.url}/oauth/account/email`);
    expect(stranger.text).toContain('name="password"');
    const before = (await letters.sent()).length;
    const page = await person.submit(stranger, { email: emailOf('member'), password });
    expect((await person.submit(page, { csrf: 'x' })).status).toBe(403);
    expect((await new Person().visit(`${auth.school.url}/oauth/account/email`)).text).toContain('name="password"');
    expect(await letters.sent()).toHaveLength(before);
  });

  test('changes once both addresses are confirmed, in whichever order, and then signs in', async () => {
    const token = await tokenOf(emailOf('lecturer'));
    const { answer, mails } = await ask(token, 'New.Lecturer@example.org');
    expect(answer.status).toBe(202);
    expect(mails.map(({ to }) => to).sort()).toEqual(['New.Lecturer@example.org', emailOf('lecturer')]);
    const [present, next] = ['lecturer@school.test', 'New.Lecturer@example.org'].map((to) =>
      linkIn(mails.find((each) => each.to === to)!),
    ) as [string, string];
    expect((await follow(next)).text).toContain('Now open the link');
    expect((await follow(next)).text).toContain('Now open the link');
    expect(await claims(token)).toMatchObject({ email: emailOf('lecturer') });
    expect((await follow(present)).text).toContain('New.Lecturer@example.org');
    expect(await claims(token)).toMatchObject({ email: 'New.Lecturer@example.org', email_verified: true });
    for (const used of [present, next]) expect((await follow(used)).status).toBe(400);
    expect(await tokenOf('new.lecturer@EXAMPLE.org')).toBeDefined();
    await expect(tokenOf(emailOf('lecturer'))).rejects.toThrow();
  });

  test('never becomes one that another account has, and asking does not tell', async () => {
    const token = await tokenOf(emailOf('member'));
    const taken = await ask(token, emailOf('owner'));
    const free = await ask(token, 'free@example.org');
    const plain = ({ answer }: typeof taken) => [answer.status, Object.keys(answer.body as object)];
    expect(plain(taken)).toEqual(plain(free));
    const answers = [];
    for (const mail of taken.mails) answers.push((await follow(linkIn(mail))).status);
    expect(answers).toEqual([400, 400]);
    const again = await ask(token, emailOf('owner'));
    answers.length = 0;
    for (const mail of again.mails) answers.push((await follow(linkIn(mail))).status);
    expect(answers).toEqual([200, 400]);
    expect(await claims(token)).toMatchObject({ email: emailOf('member') });
  });

  test('a link dies with the next ask, at another school, and after a day', async () => {
    const token = await tokenOf(emailOf('member'));
    const first = await ask(token, 'one@example.org');
    const second = await ask(token, 'two@example.org');
    expect((await follow(linkIn(first.mails[0]!))).status).toBe(400);
    const link = linkIn(second.mails[0]!);
    expect((await follow(link.replace(auth.school.url, auth.other.url))).status).toBe(400);
    auth.clock.advance(24 * 60 * 60_000);
    expect((await follow(link)).status).toBe(400);
  });

  test('a person asks once a minute, with account:write, for one address', async () => {
    const token = await tokenOf(emailOf('member'));
    expect((await ask(token, 'three@example.org')).answer.status).toBe(202);
    const soon = await call(`${auth.school.url}/api/account/email`, {
      method: 'POST',
      token,
      json: { email: 'four@example.org' },
    });
    expect([soon.status, soon.body.error, soon.headers.get('retry-after')]).toEqual([429, 'rate_limited', '60']);
    for (const wrong of ['', 'ada', 'a@b.test, c@d.test', 'a@b.test\r\nBcc: x@y.test', 7, undefined])
      expect((await ask(token, wrong)).answer.status).toBe(422);
    const reading = await tokenOf(emailOf('member'), 'openid account:read');
    expect((await ask(reading, 'five@example.org')).answer.status).toBe(403);
    const bare = await call(`${auth.school.url}/api/account/email`, { method: 'POST', json: { email: 'a@b.test' } });
    expect(bare.status).toBe(403);
  });
});

describe('a signed-in person who changes the password', () => {
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
  const fresh = 'seven green herons at dawn';
  const at = (path: string) => `${auth.school.url}/oauth/account/${path}`;
  const signIn = async (role: Role, using = password) => {
    const person = new Person();
    const page = await person.submit(await person.visit(at('password')), { email: emailOf(role), password: using });
    return { person, page };
  };

  test('is asked for the current one, stays signed in here, and nowhere else', async () => {
    const [here, elsewhere] = [await signIn('owner'), await signIn('owner')];
    const client = await Client.register(auth.school.url);
    const { access_token } = await client.tokens(emailOf('owner'), password, 'openid');
    auth.clock.advance(1_000);
    const done = await here.person.submit(here.page, { current: password, password: fresh });
    expect([done.status, done.text.includes('Your password is changed')]).toEqual([200, true]);
    expect((await here.person.visit(at('sessions'))).text).toContain('This browser');
    expect((await elsewhere.person.visit(at('sessions'))).text).toContain('autocomplete="username"');
    expect((await userinfo(auth.school, access_token)).status).toBe(401);
    expect((await signIn('owner')).page.status).toBe(401);
    expect((await signIn('owner', fresh)).page.status).toBe(200);
    expect((await letters.sent()).at(-1)!.subject).toBe('Your password at Test School was changed');
  });

  test('is refused with a wrong current one, and with a weak new one', async () => {
    const { person, page } = await signIn('member');
    const wrong = await person.submit(page, { current: 'wrong', password: fresh });
    expect([wrong.status, wrong.text.includes('The current password is not right.')]).toEqual([403, true]);
    const weak = await person.submit(page, { current: password, password: 'password' });
    expect([weak.status, weak.text.includes('Many people use this password')]).toEqual([400, true]);
    expect((await signIn('member')).page.status).toBe(200);
  });

  test('RFC 6749 §10.12: does so only by the form of the own page', async () => {
    const [{ person }, { page }] = [await signIn('member'), await signIn('member')];
    expect((await person.submit(page, { current: password, password: fresh })).status).toBe(403);
    expect((await signIn('member')).page.status).toBe(200);
  });
});
