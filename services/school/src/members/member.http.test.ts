import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '@lyceum/testkit';
import { disagreements } from '@lyceum/web';
import { memberStatuses } from './member.http.ts';
import { type Members, startMembers } from '../testing/members.ts';

let all: Members;
beforeEach(async () => {
  all = await startMembers();
});
afterEach(() => all.close());

const at = (id: string, what = '') => `/api/members/${id}${what}`;
const invite = (body: object, as?: 'owner' | 'admin') =>
  all.call('POST', '/api/members', { body, ...(as === undefined ? {} : { as }) });

describe('members', () => {
  test('refuse with the statuses of the error table', () => expect(disagreements(memberStatuses)).toEqual([]));

  test('a visitor gets an empty list and 404, and may write nothing', async () => {
    const list = await all.call('GET', '/api/members', { as: 'visitor' });
    expect([list.status, list.body]).toEqual([
      200,
      { object: 'list', data: [], has_more: false, next_cursor: null, view: 'anonymous' },
    ]);
    expect((await all.call('GET', at(all.people.owner), { as: 'visitor' })).status).toBe(404);
    const refused = await all.call('POST', '/api/members', { as: 'visitor', body: { email: 'a@b.org' } });
    expect([refused.status, refused.body.error]).toEqual([403, 'access_denied']);
  });

  test.each(['lecturer', 'member'] as const)('a %s sees nobody', async (as) => {
    for (const path of ['/api/members', at(all.people.owner)])
      expect((await all.call('GET', path, { as })).body.error).toBe('access_denied');
  });

  test('other services are told whether lecturers may see the addresses', async () => {
    const { school } = all;
    await all.call('PATCH', '/api/school', { body: { settings: { student_email_to_lecturers: true } } });
    const answer = await all.schools.started.answer?.({ kind: 'members-by-id', school, ids: [] });
    expect(answer).toEqual({ student_email_to_lecturers: true, members: [] });
  });

  test('other services ask for names and addresses by id; who is erased has none, and no other school’s are told', async () => {
    const { lecturer, member } = all.people;
    await all.call('POST', at(member, '/erase'));
    await all.settled();
    const asked = (school: string) =>
      all.schools.started.answer?.({ kind: 'members-by-id', school, ids: [lecturer, member, 'account_nobody'] });
    expect(await asked(all.school)).toEqual({
      student_email_to_lecturers: false,
      members: [{ id: lecturer, name: 'The lecturer', email: 'lecturer@loom.example', tags: [], avatar: null }],
    });
    expect(await asked('school_other')).toMatchObject({ members: [] });
  });

  test('an owner reads everybody, and finds them by role, status, tag, name and exact e-mail address', async () => {
    const { lecturer } = all.people;
    await all.call('PATCH', at(lecturer), { body: { tags: ['weaving'], name: 'Marta Weaver' } });
    await all.call('POST', at(all.people.member, '/suspend'));
    await all.settled();
    const ids = async (query: string) => {
      const { body } = await all.call('GET', `/api/members?${query}`);
      return (body.data as { id: string }[]).map(({ id }) => id);
    };
    expect(await ids('')).toHaveLength(4);
    expect(await ids('role=lecturer')).toEqual([lecturer]);
    expect(await ids('status=suspended')).toEqual([all.people.member]);
    expect(await ids('tag=weaving')).toEqual([lecturer]);
    expect(await ids('q=weav')).toEqual([lecturer]);
    expect(await ids('email=LECTURER@Loom.example')).toEqual([lecturer]);
    expect(await ids('email=ecturer@loom.example')).toEqual([]);
    expect(await ids(`ids=${lecturer},${all.people.owner}`)).toHaveLength(2);
    const first = await all.call('GET', '/api/members?limit=3');
    const next = await all.call('GET', `/api/members?limit=3&cursor=${first.body.next_cursor}`);
    expect([first.body.data.length, next.body.data.length, next.body.has_more]).toEqual([3, 1, false]);
    expect((await all.call('GET', at(lecturer))).body).toMatchObject({
      object: 'member',
      id: lecturer,
      name: 'Marta Weaver',
      email: 'lecturer@loom.example',
      role: 'lecturer',
      status: 'active',
      view: 'staff',
    });
    expect(JSON.stringify((await all.call('GET', '/api/members')).body)).not.toContain('email_key');
  });

  test('inviting sends a mail with a link, once per Idempotency-Key', async () => {
    const body = { email: 'Ada@example.org', name: 'Ada', role: 'lecturer' };
    const headers = { 'idempotency-key': '"k1"' };
    const made = await all.call('POST', '/api/members', { body, headers });
    expect([made.status, made.body.status, made.headers.get('location')]).toEqual([201, 'invited', at(made.body.id)]);
    expect((await all.call('POST', '/api/members', { body, headers })).body.id).toBe(made.body.id);
    await until(() => all.mail.sent.length > 0);
    const again = await all.call('POST', at(made.body.id, '/resend-invite'));
    expect(again.status).toBe(200);
    await until(() => all.mail.sent.length > 1);
    expect(all.mail.sent.map(({ to }) => to)).toEqual([body.email, body.email]);
    expect(all.mail.sent[0]!.text).toMatch(/https:\/\/loom\.example\/oauth\/sign-up\?invitation=[\w-]{60,}/);
    expect((await all.schools.heard()).filter(({ fact }) => JSON.stringify(fact).includes('xample.org'))).toEqual([]);
  });

  test('an e-mail address belongs to one member of the school, however it is spelt', async () => {
    expect((await invite({ email: 'ada@example.org' })).status).toBe(201);
    const taken = await invite({ email: 'ADA@Example.org' });
    expect([taken.status, taken.body.error, taken.body.error_description]).toEqual([
      409,
      'email_taken',
      'Somebody in the school has this e-mail address already',
    ]);
    expect((await invite({ email: 'owner@loom.example' })).body.error).toBe('email_taken');
  });

  test('RFC 8265 §3.3: nobody is invited at an address that only looks like another one', async () => {
    const body = { email: '\uFB01nance@corp.example' };
    expect((await all.call('POST', '/api/members', { body })).status).toBe(422);
  });

  test('only an owner makes admins and owners; an admin cannot', async () => {
    expect((await invite({ email: 'a@b.org', role: 'admin' }, 'admin')).body.error).toBe('role_not_allowed');
    expect((await invite({ email: 'a@b.org', role: 'lecturer' }, 'admin')).status).toBe(201);
    const raise = (id: string, role: string, as: 'owner' | 'admin') =>
      all.call('PUT', at(id, '/role'), { as, body: { role } });
    expect((await raise(all.people.lecturer, 'admin', 'admin')).body.error).toBe('role_not_allowed');
    expect((await raise(all.people.admin, 'owner', 'admin')).body.error).toBe('role_not_allowed');
    expect((await raise(all.people.owner, 'member', 'admin')).body.error).toBe('role_not_allowed');
    expect((await raise(all.people.lecturer, 'admin', 'owner')).body.role).toBe('admin');
    expect((await raise(all.people.member, 'lecturer', 'admin')).body.role).toBe('lecturer');
  });

  test('the school always has an active owner', async () => {
    const { owner } = all.people;
    for (const [method, what, body] of [
      ['PUT', '/role', { role: 'admin' }],
      ['POST', '/suspend', undefined],
      ['POST', '/erase', undefined],
    ] as const)
      expect((await all.call(method, at(owner, what), { body })).body.error).toBe('last_owner');
    expect((await all.call('GET', at(owner))).body).toMatchObject({ role: 'owner', status: 'active' });
  });

  test('of owners who demote each other at the same moment one stays, every time', async () => {
    const others = Array.from({ length: 3 }, () => all.on.ids.next('account'));
    for (const id of others) await all.join(id, 'owner');
    const owners = [all.people.owner, ...others];
    const demote = (by: string, id: string) =>
      all.call('PUT', at(id, '/role'), { subject: by, body: { role: 'member' } });
    const answers = await Promise.all(owners.map((by, index) => demote(by, owners[(index + 1) % owners.length]!)));
    expect(answers.every(({ status }) => [200, 403, 409, 503].includes(status))).toBe(true);
    await all.settled();
    const reader = all.on.ids.next('account');
    await all.join(reader, 'admin');
    const read = (id: string) => all.call('GET', at(id), { as: 'admin', subject: reader });
    const roles = await Promise.all(owners.map(async (id) => (await read(id)).body.role));
    expect(roles.filter((role) => role === 'owner').length).toBeGreaterThanOrEqual(1);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
  });

  test('a demoted admin’s token decides nothing from the very next request on', async () => {
    await all.call('PUT', at(all.people.admin, '/role'), { body: { role: 'member' } });
    const refused = await invite({ email: 'a@b.org' }, 'admin');
    expect(refused.status).toBe(403);
  });

  test('If-Match pins a version, and a merge patch changes only what it names', async () => {
    const { lecturer } = all.people;
    const before = await all.call('GET', at(lecturer));
    const headers = { 'if-match': before.headers.get('etag')! };
    const body = { bio: 'Weaves.', note: 'Calls back', custom_fields: { shirt: 'L' } };
    const changed = await all.call('PATCH', at(lecturer), { headers, body });
    expect(changed.body).toMatchObject({ ...body, version: before.body.version + 1, name: 'The lecturer' });
    expect((await all.call('PATCH', at(lecturer), { headers, body: { bio: 'No' } })).status).toBe(412);
    const cleared = await all.call('PATCH', at(lecturer), { body: { bio: null, custom_fields: null } });
    expect(cleared.body).toMatchObject({ bio: null, custom_fields: {}, note: 'Calls back' });
    const consent = { marketing_consent: { value: true, source: 'fair' } };
    const agreed = await all.call('PATCH', at(lecturer), { body: consent });
    expect(agreed.body.marketing_consent).toMatchObject({ value: true, source: 'fair', at: expect.any(String) });
  });

  test.each([
    [{}, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a@b.org', role: 'god' }, 'role'],
    [{ email: 'a@b.org', name: '' }, 'name'],
    [{ email: 'a@b.org', more: 1 }, ''],
  ])('%j is not an invitation', async (body, path) => {
    const { status, body: told } = await invite(body);
    expect([status, told.error]).toEqual([422, 'validation_failed']);
    expect(JSON.stringify(told.details)).toContain(path);
  });

  test('an erased member is known to nobody, for ever, and the address is free', async () => {
    const { member } = all.people;
    await all.call('PATCH', at(member), { body: { note: 'Plays the oboe' } });
    const { status, body } = await all.call('POST', at(member, '/erase'));
    expect([status, body.status, body.email, body.name, body.note]).toEqual([200, 'erased', null, null, null]);
    expect(new Set(all.erased)).toEqual(new Set([member]));
    for (const [method, what, sent] of [
      ['PATCH', '', { bio: 'b' }],
      ['PUT', '/role', { role: 'lecturer' }],
      ['POST', '/reinstate', undefined],
      ['POST', '/suspend', undefined],
      ['POST', '/resend-invite', undefined],
    ] as const)
      expect((await all.call(method, at(member, what), { body: sent })).body.error).toBe('erased');
    expect((await all.call('POST', at(member, '/erase'))).status).toBe(200);
    expect((await invite({ email: 'member@loom.example' })).status).toBe(201);
    await all.settled();
    const list = JSON.stringify((await all.call('GET', '/api/members?status=erased')).body);
    expect(list).toContain(member);
    expect(list).not.toContain('oboe');
  });

  test('members of another school are not there', async () => {
    const other = await all.schools.operate('POST', {
      slug: 'other',
      name: 'Other',
      host: 'other.example',
      base_url: 'https://other.example',
      currency: 'EUR',
      timezone: 'UTC',
      locale: 'en',
    });
    const { status } = await all.call('GET', at(all.people.member), { school: other.body.id });
    expect(status).toBe(401);
  });

  test('the facts that cross tell ids and roles, and when tokens count again', async () => {
    await all.call('PUT', at(all.people.member, '/role'), { body: { role: 'lecturer' } });
    await all.call('POST', at(all.people.member, '/suspend'));
    await all.call('POST', at(all.people.member, '/reinstate'));
    const facts = (await all.schools.heard())
      .map(({ fact }) => fact)
      .filter(({ subject }) => subject === all.people.member);
    const member_id = all.people.member;
    const tokens_not_before = new Date((Math.floor(all.on.clock.now() / 1000) + 1) * 1000).toISOString();
    expect(facts.map(({ type, data }) => ({ type, data }))).toEqual([
      { type: 'MemberJoined', data: { member_id, role: 'member' } },
      {
        type: 'MemberRoleChanged',
        data: { member_id, from: 'member', to: 'lecturer', by: all.people.owner, tokens_not_before },
      },
      { type: 'MemberSuspended', data: { member_id, tokens_not_before } },
      { type: 'MemberReinstated', data: { member_id, role: 'lecturer' } },
    ]);
  });
});
