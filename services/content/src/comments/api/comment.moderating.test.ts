import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { isoTime } from '@lyceum/kernel';
import { writeErasure } from '@lyceum/service';
import type { Sent } from '@lyceum/testkit-service';
import { commentCounts } from '../../comment-counts/comment-count.ts';
import { type Commented, hosts, lecturerOf, memberOf, startCommented } from '../../testing/commented.ts';

let service: Commented;
beforeAll(async () => void (service = await startCommented()));
afterAll(() => service.close());
beforeEach(() => service.policy('open'));

let words = 0;
const text = (more = '') => `Paper number ${(words += 1)} ${more}`;
const owner: Sent['as'] = { role: 'owner' };
const at = (id: string, below = '') => `/api/comments/${id}${below}`;

const moderate = (id: string, action: string, as: Sent['as'] = owner) =>
  service.call('POST', at(id, '/moderation'), { ...(as ? { as } : {}), body: { action } });

const write = async (member: string, host: string, body = text()) => {
  const got = await service.post(member, host, body);
  expect(got.status).toBe(201);
  await service.settled();
  return got.body as { id: string; state: string };
};

const countOf = async (host: string) => {
  await service.settled();
  return (await commentCounts(service.ports, 'school_1', [host])).get(host) ?? 0;
};

describe('what waits for the staff', () => {
  test('is nothing, the first comment of each member, or everything, as the school says', async () => {
    expect((await write('first', hosts.openCourse)).state).toBe('visible');
    await service.policy('all_held');
    expect((await write('first', hosts.openCourse)).state).toBe('pending');
    await service.policy('first_time_held');
    expect((await write('first', hosts.openCourse)).state).toBe('visible');
    const held = await write('second', hosts.openCourse);
    expect(held.state).toBe('pending');
    expect((await write('second', hosts.openCourse)).state).toBe('pending');
    expect((await moderate(held.id, 'approve')).body.state).toBe('visible');
    await service.settled();
    expect((await write('second', hosts.openCourse)).state).toBe('visible');
  });

  test('is not what those write who moderate it', async () => {
    await service.policy('all_held');
    const { body } = await service.post(
      'teacher',
      hosts.paidCourse,
      text('https://a.test https://b.test https://c.test'),
      {
        as: lecturerOf('teacher'),
      },
    );
    expect(body.state).toBe('visible');
    const elsewhere = await service.post('teacher', hosts.openCourse, text(), { as: lecturerOf('teacher') });
    expect(elsewhere.body.state).toBe('pending');
  });

  test('is seen by its author and by the staff only', async () => {
    await service.policy('all_held');
    const { id } = await write('waiting', hosts.openCourse);
    const sees = async (as: Sent['as']) => {
      const list = await service.call('GET', `/api/comments?host=${hosts.openCourse}&limit=100`, as ? { as } : {});
      const one = await service.call('GET', at(id), as ? { as } : {});
      return [one.status, list.body.data.some((each: { id: string }) => each.id === id)];
    };
    expect(await sees(memberOf('waiting'))).toEqual([200, true]);
    expect(await sees(owner)).toEqual([200, true]);
    for (const as of ['anonymous', memberOf('bob'), lecturerOf('teacher')] as const)
      expect(await sees(as)).toEqual([404, false]);
  });

  test('is what looks like spam, and its author is not told that it was taken for it', async () => {
    const links = await write('spammer', hosts.openCourse, text('https://a.test https://b.test https://c.test'));
    expect(links.state).toBe('pending');
    const worse = await write('spammer', hosts.openCourse, text('https://a.test '.repeat(8)));
    expect(worse.state).toBe('pending');
    const asStaff = async (id: string) => (await service.call('GET', at(id), { as: owner })).body;
    expect(await asStaff(links.id)).toMatchObject({ state: 'pending', spam_signs: ['links'] });
    expect(await asStaff(worse.id)).toMatchObject({ state: 'spam', spam_score: expect.any(Number) });
    const bidi = await write('spammer', hosts.openCourse, text('p\u200bi\u200bl\u200bl\u202es'));
    expect(await asStaff(bidi.id)).toMatchObject({ state: 'pending', spam_signs: ['hidden_text'] });
  });

  test('is what a member has said a moment ago', async () => {
    const body = text();
    expect((await write('twice', hosts.openCourse, body)).state).toBe('visible');
    expect((await write('twice', hosts.publicPost, ` ${body.toUpperCase()}`)).state).toBe('pending');
    expect((await write('other', hosts.openCourse, body)).state).toBe('visible');
  });
});

describe('the moderation of comments', () => {
  const rows: readonly [string, Sent['as'], string, number, string | undefined][] = [
    ['the owner', owner, hosts.paidLesson, 200, undefined],
    ['the owner on a post', owner, hosts.publicPost, 200, undefined],
    ['an admin with one scope', { role: 'admin', scopes: ['courses:write'] }, hosts.paidLesson, 200, undefined],
    [
      'an admin with the other',
      { role: 'admin', scopes: ['posts:write'] },
      hosts.paidLesson,
      403,
      'insufficient_scope',
    ],
    [
      'an admin with the other',
      { role: 'admin', scopes: ['courses:write'] },
      hosts.publicPost,
      403,
      'insufficient_scope',
    ],
    ['an admin without', { role: 'admin', scopes: ['pages:write'] }, hosts.publicPost, 403, 'insufficient_scope'],
    ['the lecturer of it', lecturerOf('teacher'), hosts.paidLesson, 200, undefined],
    ['the author of the post', lecturerOf('teacher'), hosts.publicPost, 200, undefined],
    ['another lecturer', lecturerOf('stranger'), hosts.publicPost, 403, 'access_denied'],
    ['a lecturer who does not read it', lecturerOf('stranger'), hosts.paidLesson, 404, 'not_found'],
    [
      'a member',
      { ...memberOf('bob'), scopes: ['courses:write', 'posts:write'] },
      hosts.publicPost,
      403,
      'access_denied',
    ],
    ['nobody', 'anonymous', hosts.publicPost, 403, 'access_denied'],
  ];
  test.each(rows)('is for %s as far as it goes', async (_who, as, host, status, error) => {
    const { id } = await write('ada', host);
    const got = await moderate(id, 'hide', as);
    expect([got.status, got.body.error]).toEqual([status, error]);
    if (status === 200) expect(got.body).toMatchObject({ author_id: 'account_ada', state: 'hidden', view: 'staff' });
    const elsewhere = await service.call('POST', at(id, '/moderation'), {
      as: owner,
      school: 'school_2',
      body: { action: 'hide' },
    });
    expect(elsewhere.status).toBe(404);
  });

  test('has a log, counts what is visible, and refuses what does not follow', async () => {
    const before = await countOf(hosts.preview);
    const { id } = await write('ada', hosts.preview);
    expect(await countOf(hosts.preview)).toBe(before + 1);
    const states = [];
    for (const action of ['hide', 'hide', 'restore', 'spam', 'approve'])
      states.push((await moderate(id, action)).body.state);
    expect(states).toEqual(['hidden', 'hidden', 'visible', 'spam', 'visible']);
    expect((await moderate(id, 'restore')).body.state).toBe('visible');
    expect(await countOf(hosts.preview)).toBe(before + 1);
    await moderate(id, 'hide');
    expect((await moderate(id, 'spam')).body.error).toBe('invalid_state');
    expect(await countOf(hosts.preview)).toBe(before);
    const { body } = await service.call('GET', at(id), { as: owner });
    expect(body.moderation_log.map(({ action }: { action: string }) => action)).toEqual([
      'hide',
      'restore',
      'spam',
      'approve',
      'hide',
    ]);
    expect(body.moderation_log[0].by).toBe('acc_1');
  });
});

describe('a member who is erased', () => {
  test('leaves no comment that says anything, and the answers to it', async () => {
    const parent = await write('leaving', hosts.publicPost, text('from me'));
    const waiting = await write('leaving', hosts.membersPost);
    const answer = await service.post('bob', hosts.publicPost, text(), { parent_id: parent.id });
    await service.call('POST', at(parent.id, '/like'), { as: memberOf('bob') });
    const before = await countOf(hosts.publicPost);
    service.neighbours.erased.add('account_leaving');
    await service.vault.destroy('school_1', 'account_leaving');
    const meta = { actor: 'system' };
    await writeErasure(service.log, {
      school: 'school_1',
      subject: 'account_leaving',
      meta,
      at: isoTime(service.clock.now()),
    });
    for (let left = 200; left > 0 && (await countOf(hosts.publicPost)) === before; left -= 1) await delay(5);
    expect(await countOf(hosts.publicPost)).toBe(before - 1);
    const { body } = await service.call('GET', `/api/comments?host=${hosts.publicPost}&limit=100`, { as: 'anonymous' });
    const shown = body.data.find(({ id }: { id: string }) => id === parent.id);
    expect(shown).toMatchObject({ author: null, body: null, state: 'deleted' });
    expect(body.data.map(({ id }: { id: string }) => id)).toContain(answer.body.id);
    for (const id of [parent.id, waiting.id]) {
      const { commits } = await service.log.load('school_1', [id]);
      expect(JSON.stringify(commits)).not.toContain('Paper number');
    }
    expect((await service.call('GET', at(waiting.id), { as: owner })).body).toMatchObject({ body: null, author: null });
  });

  test('gets before what they wrote, and not what others said about it', async () => {
    const { id } = await write('exporting', hosts.openCourse);
    await service.call('POST', at(id, '/report'), { as: memberOf('bob'), body: { reason: 'spam' } });
    const answer = await service.started.answer?.({
      kind: 'personal-data',
      school: 'school_1',
      subject: 'account_exporting',
      from: { file: 'comments', after: null },
    });
    expect(answer).toMatchObject({
      records: [{ id, host: { id: hosts.openCourse }, body: expect.stringContaining('Paper') }],
    });
    expect(JSON.stringify(answer)).not.toMatch(/report|spam|bob|ip_hash/);
  });
});
