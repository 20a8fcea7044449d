import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '@lyceum/testkit';
import { type Members, startMembers } from '../testing/members.ts';

let all: Members;
beforeEach(async () => void (all = await startMembers()));
afterEach(() => all.close());

// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects of the answer by asserting it
const ask = (kind: string, about: object): Promise<any> =>
  all.schools.started.answer!({ kind, school: all.school, ...about });

const mailsTo = (email: string) => all.mail.sent.filter(({ to }) => to === email);

describe('members who are looked for', () => {
  test('are found by name and tag, of the whole school or of those that are named', async () => {
    const { lecturer, member, owner } = all.people;
    await all.call('PATCH', `/api/members/${lecturer}`, { body: { tags: ['evening'], name: 'Marta Weaver' } });
    await all.call('PATCH', `/api/members/${member}`, { body: { tags: ['evening'] } });
    await all.settled();
    expect(await ask('members-matching', { q: 'WEAV' })).toEqual({ ids: [lecturer], more: false });
    const evening = await ask('members-matching', { tag: 'evening' });
    expect([evening.ids.toSorted(), evening.more]).toEqual([[lecturer, member].toSorted(), false]);
    expect(await ask('members-matching', { tag: 'evening', ids: [owner, member] })).toEqual({
      ids: [member],
      more: false,
    });
    await all.call('POST', `/api/members/${member}/erase`);
    await all.settled();
    expect((await ask('members-matching', { tag: 'evening' })).ids).toEqual([lecturer]);
  });

  test('stand as they do now, those who are invited too; nobody else is told of', async () => {
    const { member, admin } = all.people;
    const { body } = await all.call('POST', '/api/members', { body: { email: 'new@example.org' } });
    await all.call('POST', `/api/members/${member}/suspend`);
    const ids = [admin, member, body.id, 'account_nobody', 'staff', all.school];
    expect(await ask('standing-of-members', { ids })).toEqual({
      members: [
        { id: admin, role: 'admin', status: 'active' },
        { id: member, role: 'member', status: 'suspended' },
        { id: body.id, role: 'member', status: 'invited' },
      ],
    });
  });
});

describe('tagging who has sent a form', () => {
  const tag = (whom: object, tagging: string, more: object = {}) =>
    ask('tag-sender', { tag: 'newsletter', commit: tagging, tagging, ...whom, ...more });
  const tagsOf = async (id: string) => (await all.call('GET', `/api/members/${id}`)).body.tags;

  test('invites who is no member, once for each wish, and leaves the other tags of members', async () => {
    const first = await tag({ email: 'Ada@example.org', name: 'Ada' }, 'sent-1');
    expect(await tag({ email: 'Ada@example.org', name: 'Ada' }, 'sent-1')).toEqual(first);
    expect(await tag({ email: 'ada@EXAMPLE.org' }, 'sent-2', { tag: 'lights' })).toEqual(first);
    const { body } = await all.call('GET', `/api/members/${first.member}`);
    expect(body).toMatchObject({ name: 'Ada', role: 'member', status: 'invited', tags: ['newsletter', 'lights'] });
    await until(() => mailsTo('Ada@example.org').length > 0);
    await all.settled();
    expect(mailsTo('Ada@example.org')).toHaveLength(1);
  });

  test('knows members by id, and refuses who is erased, nobody, or has as many tags as there may be', async () => {
    const { member } = all.people;
    expect(await tag({ member }, 'sent-1')).toEqual({ member });
    expect(await tagsOf(member)).toEqual(['newsletter']);
    await all.call('PATCH', `/api/members/${member}`, {
      body: { tags: Array.from({ length: 20 }, (_, index) => `tag ${index}`) },
    });
    expect(await tag({ member }, 'sent-2')).toEqual({ refused: 'too_many_tags' });
    expect(await tag({ member: 'account_nobody' }, 'sent-3')).toEqual({ refused: 'not_found' });
    await all.call('POST', `/api/members/${member}/erase`);
    expect(await tag({ member }, 'sent-4')).toEqual({ refused: 'erased' });
  });
});

describe('inviting for another service', () => {
  const invite = (email: string, commit: string, more: object = {}) =>
    ask('invite-student', { email, commit, by: all.people.admin, ...more });

  test('invites as a plain member, once for each wish, and sends one mail', async () => {
    const wish = () => invite('Ada@example.org', 'wish-1', { name: 'Ada' });
    const first = await wish();
    expect(first).toMatchObject({ status: 'invited', invited: true });
    expect(await wish()).toEqual(first);
    await until(() => mailsTo('Ada@example.org').length > 0);
    const { body } = await all.call('GET', `/api/members/${first.member}`);
    expect(body).toMatchObject({ email: 'Ada@example.org', name: 'Ada', role: 'member', status: 'invited' });
    expect(await invite('ada@EXAMPLE.org', 'wish-2')).toEqual({ ...first, invited: false });
    await all.settled();
    expect(mailsTo('Ada@example.org')).toHaveLength(1);
  });

  test('finds who is a member, in any spelling of the address', async () => {
    expect(await invite('MEMBER@loom.example', 'wish-1')).toEqual({
      member: all.people.member,
      status: 'active',
      invited: false,
    });
  });

  test('invites for the platform whoever bought something: nobody of the staff has to ask', async () => {
    const bought = { email: 'buyer@example.org', commit: 'order-1' };
    const first = await ask('invite-student', bought);
    expect(first).toMatchObject({ status: 'invited', invited: true });
    expect(await ask('invite-student', bought)).toEqual(first);
    expect(await ask('invite-student', { email: 'other@example.org', commit: 'order-3', by: 'system' })).toMatchObject({
      status: 'invited',
      invited: true,
    });
    expect(await ask('invite-student', { email: 'MEMBER@loom.example', commit: 'order-2' })).toMatchObject({
      member: all.people.member,
      invited: false,
    });
  });

  test('sends no second mail for the same wish, also when who was invited is gone since', async () => {
    const free = { email: 'eve@example.org', commit: 'free-order-of-today' };
    const first = await ask('invite-student', free);
    await until(() => mailsTo('eve@example.org').length > 0);
    await all.call('POST', `/api/members/${first.member}/erase`);
    await all.settled();
    expect(await ask('invite-student', free)).toMatchObject({ member: first.member });
    await all.settled();
    expect(mailsTo('eve@example.org')).toHaveLength(1);
  });

  test('many at once with one address invite one person', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, (_, at) => invite('bob@example.org', `wish-${at}`)));
    expect(new Set(made.map(({ member }) => member)).size).toBe(1);
    expect(made.filter(({ invited }) => invited)).toHaveLength(1);
  });

  test('is refused for whom the school is not run by, and for another wish under the same name', async () => {
    expect(await invite('new@example.org', 'wish-1', { by: all.people.lecturer })).toEqual({
      refused: 'access_denied',
    });
    await invite('carl@example.org', 'wish-2', { fingerprint: 'one' });
    const { member } = await invite('carl@example.org', 'wish-2', { fingerprint: 'one' });
    await all.call('POST', `/api/members/${member}/erase`);
    expect(await invite('dora@example.org', 'wish-2', { fingerprint: 'two' })).toEqual({
      refused: 'idempotency_key_reused',
    });
  });
});
