import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryDocuments } from '@lyceum/documents';
import { memoryMail } from '@lyceum/mail';
import { trustState } from '@lyceum/oauth';
import { openInvitation } from '@lyceum/contracts';
import { until } from '@lyceum/testkit';
import { engines, startSchools } from '../testing/school-service.ts';
import { invitationMail } from './invitation.mail.ts';
import { type Members, startMembers } from '../testing/members.ts';

const week = 7 * 24 * 3_600_000;

let all: Members;
beforeEach(async () => {
  all = await startMembers();
});
afterEach(() => all.close());

const invite = async (body: object) => (await all.call('POST', '/api/members', { body })).body;
const read = async (id: string) => (await all.call('GET', `/api/members/${id}`)).body;
const mailTo = async (email: string) => {
  await until(() => all.mail.sent.some(({ to }) => to === email));
  return all.mail.sent.find(({ to }) => to === email)!;
};
const sealedIn = (text: string) => /invitation=([\w-]+)/.exec(text)![1]!;

describe('an invitation', () => {
  test('says who is invited and until when, to the authorization server only', async () => {
    const { id } = await invite({ email: 'ada@example.org', name: 'Ada', role: 'lecturer' });
    const { text, subject, from } = await mailTo('ada@example.org');
    expect([subject, from]).toEqual(['Your invitation to Loom', 'Loom']);
    expect(openInvitation(all.schools.ports.rootKeys, all.school, sealedIn(text))).toEqual({
      member: id,
      email: 'ada@example.org',
      name: 'Ada',
      expires: Math.floor((all.on.clock.now() + week) / 1000),
    });
  });

  test('is sent in the end when the mail server is away for a while', async () => {
    all.mail.failNext(2);
    await invite({ email: 'ada@example.org' });
    await mailTo('ada@example.org');
    expect(all.mail.sent).toHaveLength(1);
  });

  test('is sent once, also by a service that starts over with its log alone, as after a restore', async () => {
    await invite({ email: 'ada@example.org' });
    await mailTo('ada@example.org');
    const receipts = async () => {
      const { log } = all.on;
      const commits = await log.readLane(log.laneOf(all.school), 0, 1_000);
      return commits.flatMap(({ events }) => events.filter(({ type }) => type === 'InvitationSent')).length;
    };
    await until(async () => (await receipts()) === 1);
    const again = memoryMail();
    const restored = { ...all.on, documents: memoryDocuments() };
    const schools = await startSchools(restored, trustState(all.on.clock), { mail: again });
    await invite({ email: 'new@example.org' });
    await until(() => again.sent.some(({ to }) => to === 'new@example.org'));
    expect(again.sent.map(({ to }) => to)).toEqual(['new@example.org']);
    await schools.close();
  });

  test('is not sent when the person has been erased before, nor a week too late', async () => {
    all.mail.failNext(1_000);
    const { id } = await invite({ email: 'ada@example.org' });
    await all.call('POST', `/api/members/${id}/erase`);
    await invite({ email: 'late@example.org' });
    all.on.clock.advance(week);
    all.mail.failNext(0);
    await invite({ email: 'next@example.org' });
    await mailTo('next@example.org');
    expect(all.mail.sent.map(({ to }) => to)).toEqual(['next@example.org']);
  });

  test('is sent again when its school has moved here, once it has opened, with a link of this installation', async () => {
    const { id } = await invite({ email: 'ada@example.org' });
    const first = await mailTo('ada@example.org');
    const there = memoryMail();
    const schools = await startSchools(engines(), trustState(all.on.clock), { mail: there });
    const { log } = all.on;
    const { places } = all.schools.started.moving!;
    const place = await places!.describe(all.school, { personal: true, signingKeys: false });
    const arriving = { school: all.school, departure: 'departure_1', place, baseUrl: 'https://new.example' };
    const { places: here } = schools.started.moving!;
    await here!.admit(arriving);
    for (const { tenant, streams, commitId, ...commit } of await log.readLane(log.laneOf(all.school), 0, 1_000))
      if (tenant === all.school) {
        const expectations = streams.map((touched) => ({ stream: touched.id, version: touched.before }));
        await schools.ports.log.append({ ...commit, tenant, commitId, expectations });
      }
    expect(there.sent).toEqual([]);
    await here!.open(all.school);
    await until(() => there.sent.length > 0);
    const [mail, ...more] = there.sent;
    expect([mail!.to, more, mail!.idempotencyKey === first.idempotencyKey]).toEqual(['ada@example.org', [], false]);
    expect(mail!.text).toContain('https://new.example/oauth/sign-up?invitation=');
    expect(openInvitation(schools.ports.rootKeys, all.school, sealedIn(mail!.text))?.member).toBe(id);
    await schools.close();
  });

  test('goes to the owner of a new school, and the operator can hand one over', async () => {
    const place = { slug: 'kiln', name: 'Kiln', host: 'kiln.example', base_url: 'https://kiln.example' };
    const more = { currency: 'EUR', timezone: 'Europe/Lisbon', locale: 'de', owner_email: 'olga@kiln.example' };
    const { body: school } = await all.schools.operate('POST', { ...place, ...more });
    const mail = await mailTo('olga@kiln.example');
    expect(mail.subject).toBe('Ihre Einladung zu Kiln');
    expect(mail.text).toContain('https://kiln.example/oauth/sign-up?invitation=');

    const body = { school: school.id, email: 'otto@kiln.example', role: 'owner' };
    const handed = await all.schools.call('POST', '/internal/members', { school: school.id, body });
    expect([handed.status, handed.body.role, handed.body.status]).toEqual([201, 'owner', 'invited']);
    const link = sealedIn(handed.body.invitation_url);
    expect(openInvitation(all.schools.ports.rootKeys, school.id, link)?.member).toBe(handed.body.id);
    const nowhere = { ...body, school: 'school_none' };
    expect((await all.schools.call('POST', '/internal/members', { school: 'x', body: nowhere })).status).toBe(404);
  });

  test.each(['en', 'de-AT', 'pt-BR', 'ko', 'fr'])('is written in a language that a school of %s reads', (locale) => {
    for (const role of ['owner', 'admin', 'lecturer', 'member'] as const) {
      const { subject, text } = invitationMail({ school: 'Sound & {link}\nLight', locale, role, link: 'https://x/y' });
      expect(subject).toContain('Sound & {link} Light');
      expect(text).toContain('https://x/y');
      expect(`${subject}${text}`).not.toMatch(/\{(school|role)\}|undefined/);
    }
  });
});

describe('joining', () => {
  const opens = async (id: string, email: string, name = 'Ada') => {
    all.accounts.set(id, { email, name });
    await all.publish('AccountOpened', id);
    await until(async () => (await read(id)).status === 'active');
  };

  test('an invited person joins with the role of the invitation and the name of the account', async () => {
    const { id } = await invite({ email: 'ada@example.org', role: 'lecturer' });
    await opens(id, 'ada@example.org', 'Ada Byron');
    expect(await read(id)).toMatchObject({ role: 'lecturer', name: 'Ada Byron', joined_at: expect.any(String) });
    await all.publish('AccountOpened', id);
    await all.settled();
    expect((await read(id)).version).toBe(2);
  });

  test('who signed up without an invitation joins as a member', async () => {
    const id = all.on.ids.next('account');
    await opens(id, 'new@example.org');
    expect(await read(id)).toMatchObject({ role: 'member', email: 'new@example.org' });
  });

  test('an account that was opened beside an invitation to its address takes its role over', async () => {
    const { id: invited } = await invite({ email: 'ada@example.org', role: 'admin' });
    const id = all.on.ids.next('account');
    await opens(id, 'ada@example.org');
    expect(await read(id)).toMatchObject({ role: 'admin', email: 'ada@example.org' });
    expect((await read(invited)).status).toBe('erased');
  });

  test('an account at an address that only looks like the invited one does not take the role over', async () => {
    const { id: invited } = await invite({ email: 'finance@corp.example', role: 'admin' });
    const id = all.on.ids.next('account');
    all.accounts.set(id, { email: '\uFB01nance@corp.example', name: 'Mallory' });
    await all.publish('AccountOpened', id);
    await all.settled();
    expect([(await all.call('GET', `/api/members/${id}`)).status, (await read(invited)).status]).toEqual([
      404,
      'invited',
    ]);
  });

  test('a changed name or address is followed', async () => {
    const id = all.on.ids.next('account');
    await opens(id, 'old@example.org');
    all.accounts.set(id, { email: 'new@example.org', name: 'Ada Lovelace' });
    await all.publish('AccountChanged', id);
    await until(async () => (await read(id)).email === 'new@example.org');
    expect((await read(id)).name).toBe('Ada Lovelace');
    expect((await all.call('POST', '/api/members', { body: { email: 'old@example.org' } })).status).toBe(201);
  });

  test('the authorization server learns whether an address is invited, and how the invitation spells it', async () => {
    const { id } = await invite({ email: 'ada@example.org' });
    const ask = (email: string) => all.schools.started.answer!({ kind: 'member-by-email', school: all.school, email });
    expect(await ask('ADA@example.org')).toEqual({ member: id, status: 'invited', email: 'ada@example.org' });
    expect(await ask('nobody@example.org')).toBeUndefined();
  });
});
