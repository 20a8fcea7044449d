import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import type { Sent } from '@lyceum/testkit-service';
import { disagreements } from '@lyceum/web';
import { type ContentUnderTest, startContent } from '../testing.ts';
import { pageRejections } from './page.http.ts';

let service: ContentUnderTest;
beforeAll(async () => void (service = await startContent()));
afterAll(() => service.close());

const path = '/api/pages';
const member: TokenClaims = { role: 'member', subject: 'acc_member', scopes: ['pages:read'] };
const lecturer: TokenClaims = { role: 'lecturer', subject: 'acc_lecturer' };

const send = (method: string, at: string, body?: object, sent: Sent = {}) =>
  service.call(method, `${path}/${at}`, { ...sent, ...(body ? { body } : {}) });

async function create(body: object = {}) {
  const got = await service.call('POST', path, { body: { title: 'Paper lanterns', ...body } });
  expect(got.status).toBe(201);
  return got.body;
}

async function published(body: object = {}) {
  const made = await create(body);
  const got = await send('POST', `${made.id}/publish`);
  expect(got.body.status).toBe('published');
  return got.body;
}

const save = (id: string, version: number, body: object) =>
  send('PUT', `${id}/draft`, body, { headers: { 'if-match': `"${version}"` } });

describe('pages', () => {
  test('reject with the statuses of the error table', () => expect(disagreements(pageRejections)).toEqual([]));

  test('are created with a slug of their title, read by id and slug, and move with a redirect', async () => {
    const made = await create({ title: 'Zoë’s lantern' });
    expect(made).toMatchObject({
      object: 'page',
      slug: 'zoes-lantern',
      status: 'draft',
      kind: 'custom',
      blocks: [],
      seo: { title: null, description: null, image: null, noindex: false },
      draft: { title: 'Zoë’s lantern' },
      revisions: [],
      unpublished_changes: true,
      version: 1,
    });
    expect((await send('GET', 'zoes-lantern')).body.id).toBe(made.id);
    expect((await send('PATCH', made.id, { slug: 'zoe' })).body).toMatchObject({ slug: 'zoe', version: 2 });
    const old = await send('GET', 'zoes-lantern');
    expect([old.status, old.headers.get('location')]).toEqual([308, `${path}/zoe`]);
  });

  test('409 slug_taken, reserved_slug: a slug is unique in the school, and none of the platform’s', async () => {
    await create({ slug: 'the-slug' });
    const refused = async (slug: string, school = 'school_1') =>
      (await service.call('POST', path, { body: { title: 'Other', slug }, school })).body.error;
    expect(await refused('the-slug')).toBe('slug_taken');
    expect(await refused('the-slug', 'school_2')).toBeUndefined();
    expect(await refused('oauth')).toBe('reserved_slug');
    const { id } = await create();
    expect((await send('PATCH', id, { slug: 'mcp' })).body.error).toBe('reserved_slug');
    expect((await create({ title: 'Media' })).slug).toMatch(/^media-/);
  });

  test('show everybody what was published, and nobody but the staff what is written meanwhile', async () => {
    const blocks = [{ kind: 'hero', heading: 'Light', button: { label: 'Go', url: '/courses/x' } }];
    const { id, version } = await published({ blocks, seo: { description: 'Of paper' } });
    const again = await save(id, version, { title: 'Secret plans', blocks: [{ kind: 'hero', heading: 'Dark' }] });
    expect(again.body).toMatchObject({ title: 'Paper lanterns', blocks, unpublished_changes: true });
    expect(again.body.draft).toMatchObject({ title: 'Secret plans', blocks: [{ heading: 'Dark' }] });
    for (const as of ['anonymous', member, lecturer] as const) {
      const { status, body } = await send('GET', id, undefined, { as });
      expect([status, body.title, body.blocks]).toEqual([200, 'Paper lanterns', blocks]);
      for (const hidden of ['status', 'kind', 'draft', 'revisions', 'scheduled_for', 'unpublished_changes'])
        expect(body).not.toHaveProperty(hidden);
      expect(JSON.stringify(body)).not.toContain('Secret');
    }
    await send('POST', `${id}/publish`);
    expect((await send('GET', id, undefined, { as: 'anonymous' })).body.title).toBe('Secret plans');
  });

  test('are nobody else’s while they are drafts, scheduled, unpublished or archived, nor another school’s ever', async () => {
    const draft = await create();
    const scheduled = await create();
    await send('POST', `${scheduled.id}/schedule`, { scheduled_for: '2027-01-01T00:00:00Z' });
    const [off, gone, open] = [await published(), await published(), await published()];
    await send('POST', `${off.id}/unpublish`);
    await send('POST', `${gone.id}/archive`);
    for (const as of ['anonymous', member, lecturer] as const)
      for (const { id } of [draft, scheduled, off, gone])
        expect((await send('GET', id, undefined, { as })).status).toBe(404);
    for (const [method, at] of [
      ['GET', ''],
      ['PATCH', ''],
      ['POST', '/publish'],
      ['DELETE', ''],
    ] as const)
      expect(
        (await send(method, open.id + at, method === 'PATCH' ? {} : undefined, { school: 'school_2' })).status,
      ).toBe(404);
  });

  const writes = [
    ['PATCH', '', { title: 'x' }],
    ['PUT', '/draft', { title: 'x' }],
    ['POST', '/publish', undefined],
    ['POST', '/unpublish', undefined],
    ['POST', '/schedule', { scheduled_for: '2027-01-01T00:00:00Z' }],
    ['POST', '/rollback', { revision: 1 }],
    ['POST', '/archive', undefined],
    ['DELETE', '', undefined],
  ] as const;

  test.each(writes)('%s …%s is for owners and admins only', async (method, below, body) => {
    const { id, version } = await published();
    const headers = { 'if-match': `"${version}"` };
    const refused = async (as: Sent['as']) => {
      const got = await send(method, id + below, body, { headers, ...(as ? { as } : {}) });
      return [got.status, got.body?.error];
    };
    expect(await refused('anonymous')).toEqual([403, 'access_denied']);
    expect(await refused(member)).toEqual([403, 'insufficient_scope']);
    expect(await refused({ ...member, scopes: ['pages:write'] })).toEqual([403, 'access_denied']);
    expect(await refused({ ...lecturer, scopes: ['pages:write'] })).toEqual([403, 'access_denied']);
    expect(await refused({ role: 'admin', scopes: ['pages:read'] })).toEqual([403, 'insufficient_scope']);
    const [status] = await refused({ role: 'admin' });
    expect(method === 'DELETE' ? status === 409 : status === 200).toBe(true);
  });

  test('428 without If-Match, 412 with an old one: a draft replaces nothing that its writer has not seen', async () => {
    const { id } = await create();
    expect((await send('PUT', `${id}/draft`, { title: 'x' })).body.error).toBe('precondition_required');
    expect((await save(id, 1, { title: 'One' })).status).toBe(200);
    expect((await save(id, 1, { title: 'Two' })).body.error).toBe('precondition_failed');
    expect((await send('GET', id)).body.draft.title).toBe('One');
  });

  test('are rolled back to a revision that is kept', async () => {
    const { id, version } = await published();
    await save(id, version, { title: 'Second' });
    await send('POST', `${id}/publish`);
    const back = await send('POST', `${id}/rollback`, { revision: 1 });
    expect(back.body).toMatchObject({ title: 'Paper lanterns', draft: { title: 'Second' }, unpublished_changes: true });
    expect(back.body.revisions.map(({ revision, of }: { revision: number; of?: number }) => [revision, of])).toEqual([
      [3, 1],
      [2, undefined],
      [1, undefined],
    ]);
    expect((await send('POST', `${id}/rollback`, { revision: 9 })).status).toBe(404);
  });

  test('409 in_past: what is scheduled is still to come', async () => {
    const { id } = await create();
    const at = (scheduled_for: string) => send('POST', `${id}/schedule`, { scheduled_for });
    expect((await at('2026-01-05T08:00:00Z')).body.error).toBe('in_past');
    expect((await at('2026-01-05T10:00:00+01:00')).body.scheduled_for).toBe('2026-01-05T09:00:00.000Z');
    expect((await at('tomorrow')).status).toBe(422);
    expect((await send('POST', `${id}/unpublish`)).body).toMatchObject({ status: 'draft', scheduled_for: null });
  });

  test('409 system_page: every school has home, terms and privacy once, as drafts, and keeps them', async () => {
    await service.settled();
    for (const school of ['school_1', 'school_2'])
      for (const slug of ['home', 'terms', 'privacy']) {
        const { body } = await send('GET', slug, undefined, { school });
        expect(body).toMatchObject({ kind: slug, status: 'draft', blocks: [] });
        expect((await send('DELETE', body.id, undefined, { school })).body.error).toBe('system_page');
        expect((await send('PATCH', body.id, { slug: 'another' }, { school })).body.error).toBe('system_page');
      }
    await service.settled();
    const { body } = await service.call('GET', `${path}?kind=home`);
    expect(body.data).toHaveLength(1);
    expect((await send('GET', 'home', undefined, { as: 'anonymous' })).status).toBe(404);
  });

  test('a school gets home, terms and privacy in its language when its staff ask for pages first, also two at once', async () => {
    const fresh = await startContent();
    const school = 'school_2';
    await fresh.publish('school', { school, type: 'SchoolChanged', data: { locale: 'de-AT' } });
    await fresh.settled();
    expect((await fresh.call('GET', path, { school, as: 'anonymous' })).body.data).toEqual([]);
    const { log } = fresh.ports;
    expect(await log.head(log.laneOf(school))).toBe(0);
    const titles = ['Datenschutz', 'Geschäftsbedingungen', 'Startseite'];
    const lists = await Promise.all([1, 2].map(() => fresh.call('GET', path, { school })));
    for (const { body } of lists)
      expect(body.data.map(({ title }: { title: string }) => title).toSorted()).toEqual(titles);
    expect(await log.head(log.laneOf(school))).toBe(3);
    await fresh.close();
  });

  test('are listed as those may see them who ask, without what they say, and found by beginnings of words', async () => {
    const draft = await create({ title: 'Élan draft' });
    const open = await published({ title: 'Elan public', blocks: [{ kind: 'hero', heading: 'Hidden here' }] });
    await save(open.id, open.version, { title: 'Elan hushed' });
    await service.settled();
    const listed = async (query: string, sent: Sent = {}) =>
      (await service.call('GET', `${path}?sort=created_at&${query}`, sent)).body.data;
    const found = async (query: string, sent: Sent = {}) =>
      (await listed(query, sent)).map(({ id }: { id: string }) => id).toSorted();
    expect(await found('q=elan')).toEqual([draft.id, open.id].toSorted());
    expect(await found('q=elan', { as: 'anonymous' })).toEqual([open.id]);
    expect(await found('q=lan')).not.toContain(open.id);
    expect(await found('q=hushed', { as: 'anonymous' })).toEqual([]);
    expect(await found('q=elan&status=draft')).toEqual([draft.id]);
    const [item] = await listed('q=elan', { as: 'anonymous' });
    expect(item).toMatchObject({ title: 'Elan public', slug: 'elan-public' });
    for (const left of ['blocks', 'draft', 'revisions', 'status']) expect(item).not.toHaveProperty(left);
  });
});
