import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Sent } from '@lyceum/testkit-service';
import { disagreements } from '@lyceum/web';
import { type Commented, hosts, memberOf, startCommented } from '../../testing/commented.ts';
import { commentRejections } from './comment.load.ts';

let service: Commented;
beforeAll(async () => void (service = await startCommented()));
afterAll(() => service.close());

let words = 0;
const text = () => `How thick is the paper of lantern ${(words += 1)}?`;
const at = (id: string, below = '') => `/api/comments/${id}${below}`;
const owner: Sent['as'] = { role: 'owner' };
const ada = memberOf('ada');
const [bob, cyd, dan, eve] = [memberOf('bob'), memberOf('cyd'), memberOf('dan'), memberOf('eve')];

const call = (method: string, path: string, as: Sent['as'], body?: object, headers?: Record<string, string>) =>
  service.call(method, path, { ...(as ? { as } : {}), ...(body ? { body } : {}), ...(headers ? { headers } : {}) });

async function posted(member = 'ada', host: string = hosts.openCourse, more: object = {}) {
  const got = await service.post(member, host, text(), more);
  expect([got.status, got.body.state]).toEqual([201, 'visible']);
  await service.settled();
  return got.body;
}

const listed = async (host: string, as: Sent['as'], query = '') => {
  const { body } = await call('GET', `/api/comments?host=${host}&limit=100${query}`, as);
  return body.data.map(({ id }: { id: string }) => id) as string[];
};

describe('a comment', () => {
  test('rejects with the statuses of the error table', () => expect(disagreements(commentRejections)).toEqual([]));

  test('is shown with whoever wrote it, and to others than the staff without what is theirs', async () => {
    const { id, body } = await posted();
    const shown = (await call('GET', at(id), 'anonymous')).body;
    expect(shown).toEqual({
      id,
      object: 'comment',
      host: { type: 'course', id: hosts.openCourse },
      parent_id: null,
      author: { name: 'Name of account_ada', avatar: expect.stringMatching(/^http.*\/media\//) },
      body,
      state: 'visible',
      edited_at: null,
      like_count: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      version: 1,
      view: 'anonymous',
    });
    expect((await call('GET', at(id), ada)).body).toEqual({ ...shown, liked: false, mine: true, view: 'member' });
    expect((await call('GET', at(id), owner)).body).toMatchObject({
      author_id: 'account_ada',
      reports: [],
      moderation_log: [],
      spam_score: 0,
      ip_hash: expect.any(String),
      view: 'staff',
    });
  });

  test.each([
    ['an open course', hosts.openCourse, true, true],
    ['a preview', hosts.preview, true, true],
    ['a public post', hosts.publicPost, true, true],
    ['a post for members', hosts.membersPost, false, true],
    ['a paid course', hosts.paidCourse, false, false],
    ['a paid lesson', hosts.paidLesson, false, false],
  ])('on %s is read by those who read that', async (_what, host, isPublic, forMembers) => {
    const { id } = await posted('ada', host);
    for (const [as, sees] of [
      ['anonymous', isPublic],
      [memberOf('stranger'), forMembers],
      [bob, true],
      [owner, true],
    ] as const) {
      expect((await call('GET', at(id), as)).status).toBe(sees ? 200 : 404);
      expect((await listed(host, as)).includes(id)).toBe(sees);
    }
    expect((await service.call('GET', at(id), { as: owner, school: 'school_2' })).status).toBe(404);
  });

  test('is refused on what is not there, not theirs, or closed, and to those who may not act', async () => {
    const refusal = async (as: Sent['as'], host: string, more: object = {}) => {
      const { status, body } = await call('POST', '/api/comments', as, { host, body: text(), ...more });
      return [status, body.error];
    };
    expect(await refusal(eve, hosts.none)).toEqual([404, 'not_found']);
    expect(await refusal(eve, hosts.paidLesson)).toEqual([409, 'host_locked']);
    expect(await refusal(ada, hosts.closedPost)).toEqual([409, 'comments_closed']);
    expect(await refusal('anonymous', hosts.openCourse)).toEqual([403, 'access_denied']);
    expect(await refusal({ ...ada, scopes: ['comments:read'] }, hosts.openCourse)).toEqual([403, 'insufficient_scope']);
    expect(await refusal(ada, 'plan_1')).toEqual([422, 'validation_failed']);
    expect(await refusal(ada, hosts.openCourse, { body: '' })).toEqual([422, 'validation_failed']);
    expect(await refusal(ada, hosts.openCourse, { body: 'x'.repeat(5_001) })).toEqual([422, 'validation_failed']);
    expect(await refusal(ada, hosts.openCourse, { body: 'NUL \u0000' })).toEqual([422, 'validation_failed']);
    expect(await refusal(ada, hosts.openCourse, { author: 'bob' })).toEqual([422, 'validation_failed']);
    const elsewhere = { as: ada, school: 'school_2', body: { host: hosts.openCourse, body: text() } };
    expect((await service.call('POST', '/api/comments', elsewhere)).status).toBe(404);
  });

  test.each([
    ['markup', '<img src=x onerror=alert(1)><script>alert(2)</script>'],
    ['a link that runs', '[click](javascript:alert(1))'],
    ['letters of all scripts', 'Zoë שלום 灯籠 👩‍👩‍👧 e\u0301'],
    ['lines', 'one\ntwo\r\n\tthree'],
  ])('keeps %s as plain text', async (_what, body) => {
    const got = await service.post('ada', hosts.openCourse, `${body} ${(words += 1)}`);
    expect([got.status, got.body.body, got.body.state]).toEqual([201, `${body} ${words}`, 'visible']);
  });

  test('answers a comment on the same thing that answers none', async () => {
    const parent = await posted();
    const answer = await posted('bob', hosts.openCourse, { parent_id: parent.id });
    expect(answer.parent_id).toBe(parent.id);
    expect(await listed(hosts.openCourse, 'anonymous', `&parent_id=${parent.id}`)).toEqual([answer.id]);
    const hidden = await posted();
    await call('POST', at(hidden.id, '/moderation'), owner, { action: 'hide' });
    for (const [host, parent_id, code] of [
      [hosts.openCourse, answer.id, 'not_top_level'],
      [hosts.publicPost, parent.id, 'unknown_comment'],
      [hosts.openCourse, hidden.id, 'unknown_comment'],
      [hosts.openCourse, 'comment_00000000-0000-7000-8000-999999999999', 'unknown_comment'],
    ]) {
      const got = await service.post('bob', String(host), text(), { parent_id });
      expect([got.status, got.body.details?.[0]?.code]).toEqual([422, code]);
    }
  });

  test('with the same Idempotency-Key is posted once', async () => {
    const body = { host: hosts.openCourse, body: text() };
    const headers = { 'idempotency-key': 'the-same-comment' };
    const [one, two] = [
      await call('POST', '/api/comments', ada, body, headers),
      await call('POST', '/api/comments', ada, body, headers),
    ];
    expect([two.status, two.body.id]).toEqual([201, one.body.id]);
  });

  test('is changed by its author for 15 minutes', async () => {
    const { id } = await posted();
    const edit = (as: Sent['as'], body = text()) => call('PATCH', at(id), as, { body });
    const changed = await edit(ada, 'How thin?');
    expect(changed.body).toMatchObject({ body: 'How thin?', edited_at: expect.any(String), version: 2 });
    expect((await edit(bob)).body.error).toBe('access_denied');
    expect((await edit(owner)).body.error).toBe('access_denied');
    expect((await edit('anonymous')).body.error).toBe('access_denied');
    expect((await call('PATCH', at(id), ada, { body: text() }, { 'if-match': '"1"' })).status).toBe(412);
    service.clock.advance(15 * 60_000 + 1);
    expect((await edit(ada)).body.error).toBe('invalid_state');
  });

  test('is deleted by its author: its place among answers stays, without what it said', async () => {
    const parent = await posted();
    const answer = await posted('bob', hosts.openCourse, { parent_id: parent.id });
    expect((await call('DELETE', at(parent.id), bob)).body.error).toBe('access_denied');
    expect((await call('DELETE', at(parent.id), ada)).status).toBe(204);
    await service.settled();
    expect((await call('GET', at(parent.id), 'anonymous')).status).toBe(404);
    const { body } = await call('GET', `/api/comments?host=${hosts.openCourse}&limit=100`, 'anonymous');
    const shown = body.data.find(({ id }: { id: string }) => id === parent.id);
    expect(shown).toMatchObject({ author: null, body: null, state: 'deleted' });
    expect(await listed(hosts.openCourse, 'anonymous')).toContain(answer.id);
    expect((await call('DELETE', at(parent.id), ada)).status).toBe(404);
  });

  test('is liked once by each member, until they do not', async () => {
    const { id } = await posted();
    const like = (method: string, as: Sent['as']) => call(method, at(id, '/like'), as);
    expect((await like('POST', bob)).body).toEqual({
      object: 'comment_like',
      comment_id: id,
      liked: true,
      view: 'member',
    });
    await like('POST', bob);
    await like('POST', cyd);
    await service.settled();
    expect((await call('GET', at(id), bob)).body).toMatchObject({ like_count: 2, liked: true });
    expect((await like('DELETE', bob)).body.liked).toBe(false);
    await like('DELETE', bob);
    await service.settled();
    expect((await call('GET', at(id), bob)).body).toMatchObject({ like_count: 1, liked: false });
    expect((await like('POST', 'anonymous')).body.error).toBe('access_denied');
  });

  test('that three members report waits for the staff, once each', async () => {
    const { id } = await posted('ada', hosts.paidCourse);
    const report = (as: Sent['as'], body: object = { reason: 'insult' }) => call('POST', at(id, '/report'), as, body);
    expect((await report(eve)).status).toBe(404);
    expect((await report(ada)).body.error).toBe('invalid_state');
    expect((await report(bob, { reason: 'ugly' })).status).toBe(422);
    for (const as of [bob, bob, cyd]) expect((await report(as)).status).toBe(204);
    expect((await call('GET', at(id), bob)).body.state).toBe('visible');
    expect((await report(dan)).status).toBe(204);
    expect((await call('GET', at(id), bob)).status).toBe(404);
    expect((await call('GET', at(id), ada)).body.state).toBe('pending');
    expect((await call('GET', at(id), owner)).body).toMatchObject({
      state: 'pending',
      reports: [
        { member_id: 'account_bob', reason: 'insult' },
        { member_id: 'account_cyd' },
        { member_id: 'account_dan' },
      ],
      moderation_log: [{ action: 'hold', by: null }],
    });
  });

  test('is answered 503 where those do not answer who know who reads the host', async () => {
    const { id } = await posted();
    service.neighbours.isAway = true;
    const statuses = [
      (await call('GET', `/api/comments?host=${hosts.openCourse}`, 'anonymous')).status,
      (await call('GET', at(id), owner)).status,
      (await call('POST', '/api/comments', ada, { host: hosts.openCourse, body: text() })).status,
    ];
    service.neighbours.isAway = false;
    expect(statuses).toEqual([503, 503, 503]);
  });
});
