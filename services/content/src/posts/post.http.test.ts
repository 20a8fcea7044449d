import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import type { Sent } from '@lyceum/testkit-service';
import { disagreements } from '@lyceum/web';
import { type ContentUnderTest, fileIds, startContent } from '../testing.ts';
import { postRejections } from './post.resource.ts';

let service: ContentUnderTest;
beforeAll(async () => void (service = await startContent()));
afterAll(() => service.close());

const path = '/api/posts';
const member: TokenClaims = { role: 'member', subject: 'acc_member', scopes: ['posts:read'] };
const lecturer: TokenClaims = { role: 'lecturer', subject: 'acc_lecturer' };
const other: TokenClaims = { role: 'lecturer', subject: 'acc_other' };
const body = [{ type: 'paragraph', text: [{ text: 'Cut, fold, light.' }] }];

const send = (method: string, at: string, sentBody?: object, sent: Sent = {}) =>
  service.call(method, `${path}/${at}`, { ...sent, ...(sentBody ? { body: sentBody } : {}) });

async function create(more: object = {}, sent: Sent = {}) {
  const got = await service.call('POST', path, { ...sent, body: { title: 'Paper lanterns', body, ...more } });
  expect(got.status).toBe(201);
  return got.body;
}

async function published(more: object = {}, sent: Sent = {}) {
  const made = await create(more, sent);
  const got = await send('POST', `${made.id}/publish`, undefined, sent);
  expect(got.body.status).toBe('published');
  return got.body;
}

describe('posts', () => {
  test('reject with the statuses of the error table', () => expect(disagreements(postRejections)).toEqual([]));

  test('are created with a slug of their title, read by id and slug, and move with a redirect', async () => {
    const made = await create({ title: 'Zoë’s lantern', body: 'One\n\nTwo', tags: ['paper', 'paper', 'light'] });
    expect(made).toMatchObject({
      object: 'post',
      slug: 'zoes-lantern',
      status: 'draft',
      visibility: 'public',
      tags: ['paper', 'light'],
      locked: false,
      unlock: [],
      pinned: false,
      comments_enabled: true,
      body: [{ text: [{ text: 'One' }] }, { text: [{ text: 'Two' }] }],
      version: 1,
    });
    expect((await send('PATCH', made.id, { slug: 'zoe' })).body).toMatchObject({ slug: 'zoe', version: 2 });
    const old = await send('GET', 'zoes-lantern');
    expect([old.status, old.headers.get('location')]).toEqual([308, `${path}/zoe`]);
    const taken = await service.call('POST', path, { body: { title: 'x', slug: 'zoe' } });
    expect(taken.body.error).toBe('slug_taken');
  });

  test('show everybody what was published, and nobody but the staff what is written meanwhile', async () => {
    const { id } = await published();
    const patched = await send('PATCH', id, { title: 'Secret plans', tags: null });
    expect(patched.body).toMatchObject({ title: 'Paper lanterns', draft: { title: 'Secret plans', tags: [] } });
    for (const as of ['anonymous', member, lecturer] as const) {
      const got = await send('GET', id, undefined, { as });
      expect([got.status, got.body.title, got.body.body]).toEqual([200, 'Paper lanterns', body]);
      for (const hidden of ['status', 'draft', 'revisions', 'plan_ids', 'pinned', 'comments_enabled', 'scheduled_for'])
        expect(got.body).not.toHaveProperty(hidden);
      expect(JSON.stringify(got.body)).not.toContain('Secret');
    }
  });

  const writes = [
    ['PATCH', '', { title: 'x' }],
    ['POST', '/publish', undefined],
    ['POST', '/schedule', { scheduled_for: '2027-01-01T00:00:00Z' }],
    ['POST', '/rollback', { revision: 1 }],
    ['POST', '/pin', undefined],
    ['POST', '/unpin', undefined],
    ['POST', '/unpublish', undefined],
    ['POST', '/archive', undefined],
  ] as const;

  test.each(writes)('%s …%s is for owners, admins, and lecturers whose it is', async (method, below, sent) => {
    const { id } = await published({}, { as: lecturer });
    const answer = async (as: Sent['as'], more: Sent = {}) => {
      const got = await send(method, id + below, sent, { ...(as ? { as } : {}), ...more });
      return [got.status, got.body?.error];
    };
    expect(await answer('anonymous')).toEqual([403, 'access_denied']);
    expect(await answer(member)).toEqual([403, 'insufficient_scope']);
    expect(await answer({ ...member, scopes: ['posts:write'] })).toEqual([403, 'access_denied']);
    expect(await answer(other)).toEqual([403, 'access_denied']);
    expect(await answer(undefined, { school: 'school_2' })).toEqual([404, 'not_found']);
    expect((await answer({ role: 'admin' }))[0]).toBe(200);
    expect((await answer(lecturer))[0]).toBe(200);
  });

  test('are deleted while they were never public, by those who may change them', async () => {
    const [draft, open] = [await create({}, { as: lecturer }), await published()];
    expect((await send('DELETE', draft.id, undefined, { as: other })).status).toBe(404);
    expect((await send('DELETE', open.id)).body.error).toBe('invalid_state');
    expect((await send('DELETE', draft.id, undefined, { as: lecturer })).status).toBe(204);
    expect((await send('GET', draft.id)).status).toBe(404);
  });

  test('are nobody else’s before they are published: not the drafts of a lecturer to another either', async () => {
    const draft = await create({}, { as: lecturer });
    for (const as of ['anonymous', member, other] as const)
      expect((await send('GET', draft.id, undefined, { as })).status).toBe(404);
    expect((await send('GET', draft.id, undefined, { as: lecturer })).body.status).toBe('draft');
  });

  test('are listed pinned ones first, then the newest; by status, visibility, tag and words', async () => {
    const tag = 'of-this-list';
    const made = [];
    for (const title of ['First', 'Second', 'Third']) {
      service.clock.advance(60_000);
      made.push(await published({ title, tags: [tag], visibility: title === 'Third' ? 'members' : 'public' }));
    }
    const [first, second, third] = made.map(({ id }) => id);
    const draft = await create({ title: 'Fourth', tags: [tag] }, { as: lecturer });
    await send('POST', `${first}/pin`);
    await service.settled();
    const listed = async (query = '', sent: Sent = { as: 'anonymous' }) => {
      const got = await service.call('GET', `${path}?tag=${tag}&${query}`, sent);
      expect(got.status).toBe(200);
      return got.body.data;
    };
    const found = async (query = '', sent?: Sent) => (await listed(query, sent)).map(({ id }: { id: string }) => id);
    expect(await found()).toEqual([first, third, second]);
    expect(await found('sort=created_at')).toEqual([first, second, third]);
    expect(await found('visibility=members')).toEqual([third]);
    expect(await found('q=sec')).toEqual([second]);
    expect(await found('status=draft')).toEqual([]);
    expect(await found('status=draft', { as: lecturer })).toEqual([draft.id]);
    expect(await found('status=draft', { as: other })).toEqual([]);
    expect(await found('', {})).toContain(draft.id);
    expect(await found('', { school: 'school_2' })).toEqual([]);
    const [item] = await listed();
    for (const left of ['body', 'draft', 'status', 'pinned', 'front']) expect(item).not.toHaveProperty(left);
    await send('POST', `${first}/unpin`);
    await service.settled();
    expect(await found()).toEqual([third, second, first]);
    const page = await service.call('GET', `${path}?tag=${tag}&limit=2`, { as: 'anonymous' });
    const next = await service.call('GET', `${path}?tag=${tag}&limit=2&cursor=${page.body.next_cursor}`, {
      as: 'anonymous',
    });
    expect(next.body.data.map(({ id }: { id: string }) => id)).toEqual([first]);
  });

  test('have a cover of the school that is ready, or an address elsewhere', async () => {
    const made = await create({ cover: fileIds.cover });
    const address = expect.stringMatching(new RegExp(`^https?://.*/media/public/${fileIds.cover}$`));
    expect([made.cover, made.draft.cover]).toEqual([address, address]);
    expect((await send('PATCH', made.id, { cover: made.cover })).body.version).toBe(made.version);
    expect((await send('PATCH', made.id, { cover: 'https://example.test/a.png' })).body.cover).toBe(
      'https://example.test/a.png',
    );
    expect((await send('PATCH', made.id, { cover: null })).body.cover).toBeNull();
    const refused = async (cover: string, sent: Sent = {}) =>
      (await service.call('POST', path, { ...sent, body: { title: 'x', cover } })).body.error;
    expect(await refused(fileIds.page)).toBe('validation_failed');
    expect(await refused('javascript:alert(1)')).toBe('validation_failed');
    expect(await refused(fileIds.cover, { as: lecturer })).toBe('validation_failed');
    expect(await refused(fileIds.lecturers, { as: lecturer })).toBeUndefined();
  });

  test.each([
    [{ title: '' }],
    [{ title: 'a\u0000b' }],
    [{ excerpt: 'x'.repeat(301) }],
    [{ author_id: '../lecturers' }],
    [{ plan_ids: ['course_1'] }],
    [{ visibility: 'everyone' }],
    [{ body: [{ type: 'html', html: '<script>' }] }],
    [{ body: [{ type: 'paragraph', text: [{ text: 'x', link: 'javascript:alert(1)' }] }] }],
    [{ pinned: true }],
  ])('422: %j', async (more) => {
    const got = await service.call('POST', path, { body: { title: 'x', ...more } });
    expect([got.status, got.body.error]).toEqual([422, 'validation_failed']);
  });
});
