import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Invitation, foldEmail, sealInvitation } from '@lyceum/contracts';
import { type ServiceQuery } from '@lyceum/internal-api';
import { Client, type Landed, Person, codeOf } from '@lyceum/testkit';
import { decodeJwt } from 'jose';
import { findOpenAccount, findOpenByEmail, openAccount } from '../domain/accounts/account-registry.ts';
import { seconds } from '../domain/write.ts';
import { type TestAuth, emailOf, password, setMemberStatus, startAuth, tellOfSchool } from '../testing/test-auth.ts';
import { type TestMails, linkIn, startMails } from '../testing/test-mails.ts';

let auth: TestAuth;
let client: Client;
let post: TestMails;
const invited = new Map<string, { readonly member: string; readonly email?: string }>();
const chosen = 'lantern river seventy-two kites';

beforeAll(async () => {
  auth = await startAuth();
  const ask = async (_: string, { email }: ServiceQuery) => {
    const known = invited.get(foldEmail(String(email)));
    return known && { ...known, status: 'invited' };
  };
  auth.restart({ joining: { ...auth.ports.joining, ask } });
  post = await startMails(auth, { ask });
  client = await Client.register(auth.school.url);
});
afterAll(async () => {
  await post.close();
  await auth.close();
});
beforeEach(() => setSignUp('open'));

const setSignUp = (sign_up: 'open' | 'invited') =>
  tellOfSchool(auth.ports, auth.school.id, { type: 'SchoolSignUpSet', data: { sign_up } });

let count = 0;
const invitation = (changes: Partial<Invitation> = {}, school = auth.school.id): string => {
  const { clock, ids, joining } = auth.ports;
  const email = `guest${(count += 1)}@example.org`;
  const made = { member: ids.next('account'), email, expires: seconds(clock) + 3600, ...changes };
  return sealInvitation(joining.rootKeys, school, made);
};
const signUpAt = (sealed: string, more = '') => `${auth.school.url}/oauth/sign-up?invitation=${sealed}${more}`;
const mailTo = async (email: string) => (await post.sent()).filter(({ to }) => to === email);
const problemIn = (page: Landed) => /<p class="problem"[^>]*>([^<]*)</.exec(page.text)?.[1];

describe('an invitation', () => {
  test('opens an account under the id and address that it names, verified, and signs the person in', async () => {
    const member = auth.ports.ids.next('account');
    const person = new Person();
    const page = await person.visit(signUpAt(invitation({ member, email: 'ada@example.org', name: 'Ada' })));
    expect(page.status).toBe(200);
    expect(page.text).toContain('ada@example.org');
    expect(page.text).toContain('value="Ada"');
    const done = await person.submit(page, { name: 'Ada Byron', password: chosen });
    expect([done.status, done.text.includes('Your account is ready')]).toEqual([200, true]);
    const opened = await findOpenAccount(auth.ports, auth.school.id, member);
    expect(opened).toMatchObject({ email: 'ada@example.org', name: 'Ada Byron', emailVerified: true });
    await setMemberStatus(auth.ports, auth.school.id, member, { role: 'lecturer', status: 'active' });
    const consent = await person.visit(client.start('openid courses:write').url);
    expect(consent.text).toContain('name="decision"');
  });

  test('is used once: afterwards the link does nothing, also for two at the same moment', async () => {
    const sealed = invitation();
    const visits = await Promise.all(
      [1, 2].map(async () => {
        const person = new Person();
        return { person, page: await person.visit(signUpAt(sealed)) };
      }),
    );
    const landed = await Promise.all(
      visits.map(({ person, page }) => person.submit(page, { name: 'Guest', password: chosen })),
    );
    expect(landed.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await new Person().visit(signUpAt(sealed))).status).toBe(400);
  });

  test.each([
    ['altered', () => `${invitation().slice(0, -6)}AAAAAA`],
    ['expired', () => invitation({ expires: seconds(auth.ports.clock) })],
    ['of another school', () => invitation({}, auth.other.id)],
    ['none at all', () => 'x'],
  ])('that is %s does nothing', async (_, make) => {
    const page = await new Person().visit(signUpAt(make()));
    expect([page.status, page.text.includes('name="password"')]).toEqual([400, false]);
  });

  test('holds for an address that has an account by now: nobody gets a second one', async () => {
    const person = new Person();
    const page = await person.visit(signUpAt(invitation({ email: emailOf('owner') })));
    expect((await person.submit(page, { name: 'Guest', password: chosen })).status).toBe(400);
  });

  test.each([
    [{ name: '', password: chosen }, 'Enter your name'],
    [{ name: 'Guest', password: 'a7&Zq' }, '8'],
    [{ name: 'Guest', password: 'password1' }, ''],
    [{ name: 'x'.repeat(201), password: chosen }, 'Enter your name'],
  ])('with %j asks again and opens nothing', async (typed, said) => {
    const member = auth.ports.ids.next('account');
    const person = new Person();
    const page = await person.visit(signUpAt(invitation({ member })));
    const again = await person.submit(page, typed);
    expect([again.status, problemIn(again)]).toEqual([400, expect.stringContaining(said)]);
    expect(again.text).not.toContain(typed.password);
    expect(await findOpenAccount(auth.ports, auth.school.id, member)).toBeUndefined();
  });

  test('RFC 9700 §4.7: a form without our tag is refused and opens nothing', async () => {
    const member = auth.ports.ids.next('account');
    const person = new Person();
    const page = await person.visit(signUpAt(invitation({ member })));
    expect((await person.submit(page, { name: 'Guest', password: chosen, csrf: 'x' })).status).toBe(403);
    expect(await findOpenAccount(auth.ports, auth.school.id, member)).toBeUndefined();
  });

  test('of a person who was erased is answered like a used link, and no password is hashed for it', async () => {
    const member = auth.ports.ids.next('account');
    const sealed = invitation({ member });
    const person = new Person();
    const page = await person.visit(signUpAt(sealed));
    await auth.ports.vault.destroy(auth.school.id, member);
    const hash = jest.spyOn(auth.ports.passwords, 'hash');
    const used = await person.submit(page, { name: 'Guest', password: chosen });
    const again = await new Person().visit(signUpAt(sealed));
    expect([used.status, again.status, again.text.includes('@example.org')]).toEqual([400, 400, false]);
    expect(hash).not.toHaveBeenCalled();
    hash.mockRestore();
  });

  test('RFC 8265 §3.3: sealed before for an address that looks like another one does nothing', async () => {
    const page = await new Person().visit(signUpAt(invitation({ email: '\uFB01nance@corp.example' })));
    expect(page.status).toBe(400);
  });

  test('does nothing while the school is suspended, and is good again when it goes on', async () => {
    const apply = (type: string) => tellOfSchool(auth.ports, auth.school.id, { type, data: {} });
    const sealed = invitation();
    const open = await new Person().visit(signUpAt(sealed));
    await apply('SchoolSuspended');
    expect((await new Person().visit(signUpAt(sealed))).status).toBe(403);
    expect((await new Person().visit(`${auth.school.url}/oauth/sign-up`)).status).toBe(403);
    const signIn = await new Person().visit(client.start('openid').url);
    expect([signIn.status, signIn.text.includes('/oauth/sign-up')]).toEqual([200, false]);
    await apply('SchoolResumed');
    expect([open.status, (await new Person().visit(signUpAt(sealed))).status]).toEqual([200, 200]);
  });

  test('is good where the school opens accounts by invitation only', async () => {
    await setSignUp('invited');
    const person = new Person();
    const page = await person.visit(signUpAt(invitation()));
    expect((await person.submit(page, { name: 'Guest', password: chosen })).status).toBe(200);
  });
});

describe('a sign-up without an invitation', () => {
  const ask = async (email: string, person = new Person()) =>
    person.submit(await person.visit(`${auth.school.url}/oauth/sign-up`), { email });

  test('is refused where the school opens accounts by invitation only', async () => {
    await setSignUp('invited');
    const page = await new Person().visit(`${auth.school.url}/oauth/sign-up`);
    expect([page.status, page.text.includes('name="email"')]).toEqual([403, false]);
    expect(page.text).toContain('href="/oauth/account"');
    const signIn = await new Person().visit(client.start('openid').url);
    expect(signIn.text).not.toContain('/oauth/sign-up');
  });

  test('leads from the sign-in page through the mail back to the application', async () => {
    const person = new Person();
    const { url, verifier } = client.start('openid courses:read');
    const signIn = await person.visit(url);
    const href = /href="(\/oauth\/sign-up[^"]*)"/.exec(signIn.text)![1]!.replaceAll('&amp;', '&');
    const page = await person.visit(`${auth.school.url}${href}`);
    const sent = await person.submit(page, { email: 'grace@example.org' });
    expect([sent.status, sent.text.includes('on its way')]).toEqual([200, true]);
    expect(await findOpenByEmail(auth.ports, auth.school.id, 'grace@example.org')).toBeUndefined();

    const [letter] = await mailTo('grace@example.org');
    const form = await person.visit(linkIn(letter!));
    expect([form.text.includes('grace@example.org'), form.text.includes('invites you')]).toEqual([true, false]);
    const joining = person.submit(form, { name: 'Grace', password: chosen });
    // The school hears of the account meanwhile.
    for (let known; !known; await new Promise((resolve) => setTimeout(resolve, 5))) {
      known = await findOpenByEmail(auth.ports, auth.school.id, 'grace@example.org');
      if (known) await setMemberStatus(auth.ports, auth.school.id, known.id, { role: 'member', status: 'active' });
    }
    const consent = await joining;
    expect(consent.text).toContain('name="decision"');
    const back = await person.submit(consent, { decision: 'approve' });
    const { status, body } = await client.redeem(codeOf(back), verifier);
    expect([status, decodeJwt(body.access_token)['role']]).toEqual([200, 'member']);
  });

  test('answers the same for an address that has an account, which gets a letter that says so', async () => {
    const [known, unknown] = [await ask(emailOf('member')), await ask('nobody@example.org')];
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
    const [letter] = await mailTo(emailOf('member'));
    expect(letter!.subject).toBe('You have an account at Test School');
    expect(letter!.text).not.toContain('invitation=');
    expect((await mailTo('nobody@example.org'))[0]!.text).toContain('invitation=');
  });

  test('of somebody who is invited opens the account that the invitation is about', async () => {
    const member = auth.ports.ids.next('account');
    invited.set('lena@example.org', { member });
    await ask('lena@example.org');
    const [letter] = await mailTo('lena@example.org');
    const person = new Person();
    await person.submit(await person.visit(linkIn(letter!)), { name: 'Lena', password: chosen });
    expect(await findOpenAccount(auth.ports, auth.school.id, member)).toMatchObject({ email: 'lena@example.org' });
  });

  test('of somebody who is invited under another spelling is answered at the address of the invitation', async () => {
    const member = auth.ports.ids.next('account');
    invited.set('finance@corp.example', { member, email: 'finance@corp.example' });
    await ask('Finance@Corp.Example');
    const [letter] = await mailTo('finance@corp.example');
    expect(await mailTo('Finance@Corp.Example')).toEqual([]);
    const person = new Person();
    await person.submit(await person.visit(linkIn(letter!)), { name: 'Fin', password: chosen });
    const opened = await findOpenAccount(auth.ports, auth.school.id, member);
    expect(opened).toMatchObject({ email: 'finance@corp.example' });
  });

  test.each([
    ['a ligature', '\uFB01nance@bank.example'],
    ['full width', '\uFF46inance@bank.example'],
  ])('RFC 8265 §3.3: with %s for letters of an invited address is refused, and no mail is sent', async (_, look) => {
    invited.set('finance@bank.example', { member: auth.ports.ids.next('account'), email: 'finance@bank.example' });
    const page = await ask(look);
    expect([page.status, problemIn(page)]).toEqual([400, 'Enter an e-mail address.']);
    expect((await post.sent()).filter(({ to }) => to.endsWith('@bank.example'))).toEqual([]);
  });

  test('an account of before with such an address is still found by it', async () => {
    const email = '\uFB01rst@example.org';
    const passwordHash = await auth.ports.passwords.hash(chosen);
    const id = auth.ports.ids.next('account');
    await openAccount(auth.ports, auth.school.id, { id, email, name: 'First', passwordHash, actor: 'system' });
    expect(await findOpenByEmail(auth.ports, auth.school.id, email)).toMatchObject({ id, email });
  });

  test('sends one letter a minute to an address, whoever asks how often', async () => {
    for (let times = 0; times < 3; times += 1) await ask('often@example.org');
    expect(await mailTo('often@example.org')).toHaveLength(1);
    auth.clock.advance(61_000);
    await ask('often@example.org');
    expect(await mailTo('often@example.org')).toHaveLength(2);
  });

  test.each(['', 'nobody', 'a b@c.org', `a@${'b'.repeat(200)}.org`, 'a@b.org\r\nBcc: x@y.org'])(
    '%j is no address',
    async (email) => {
      const page = await ask(email);
      expect([page.status, problemIn(page)]).toEqual([400, 'Enter an e-mail address.']);
    },
  );

  test('neither addresses nor passwords nor links are logged', () => {
    const log = auth.lines.join('\n');
    for (const secret of [chosen, password, '@example.org', 'invitation=']) expect(log).not.toContain(secret);
  });
});
