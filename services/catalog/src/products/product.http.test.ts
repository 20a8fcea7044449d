import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { disagreements } from '@lyceum/web';
import { type Catalog, type Sent, fileIds, startCatalog } from '../testing.ts';
import { productStatuses } from './product.http.ts';
import { productReply } from './product.schema.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.close());

const path = '/api/digital_products';
const member: TokenClaims = { role: 'member', subject: 'acc_member', scopes: ['digital_products:read'] };
const lecturer: TokenClaims = { role: 'lecturer', subject: 'acc_lecturer' };
const other: TokenClaims = { role: 'lecturer', subject: 'acc_other' };
const files = [{ file_id: fileIds.product, name: 'templates.zip', size: 7, type: 'application/zip' }];

async function create(body: object = {}, sent: Sent = {}) {
  const got = await catalog.call('POST', path, { ...sent, body: { title: 'Templates', ...body } });
  expect(got.status).toBe(201);
  return got.body;
}
const send = (method: string, at: string, body?: object, sent: Sent = {}) =>
  catalog.call(method, `${path}/${at}`, { ...sent, ...(body ? { body } : {}) });

async function published(body: object = {}) {
  const made = await create(body);
  await send('PUT', `${made.id}/files`, { files });
  expect((await send('POST', `${made.id}/publish`)).status).toBe(200);
  return made;
}

describe('digital products', () => {
  test('reject with the statuses of the error table', () => expect(disagreements(productStatuses)).toEqual([]));

  test('409 not_ready: publishing needs a file, and a price when it is sold; it keeps both', async () => {
    const made = await create({ access: 'paid' });
    const refused = await send('POST', `${made.id}/publish`);
    expect(refused).toMatchObject({ status: 409, body: { error: 'not_ready' } });
    expect(refused.body.details.map(({ code }: { code: string }) => code)).toEqual(['price_missing', 'file_missing']);
    await send('PATCH', made.id, { prices: [{ amount: 900 }] });
    expect((await send('PUT', `${made.id}/files`, { files })).body.files).toEqual(files);
    expect((await send('POST', `${made.id}/publish`)).body).toMatchObject({ status: 'published', view: 'staff' });
    expect((await send('PUT', `${made.id}/files`, { files: [] })).body.error).toBe('not_ready');
    expect((await send('PATCH', made.id, { prices: null })).body.error).toBe('not_ready');
  });

  test('show the public names, sizes and types of the files, and no staff field', async () => {
    const made = await published({ title: 'Shown', prices: [{ amount: 900 }], download_limit: 3 });
    const hidden = Object.entries(productReply.shape).filter(([, field]) => field.meta()?.['sees'] === 'staff');
    expect(hidden.map(([name]) => name).toSorted()).toEqual(['download_limit', 'files', 'link_ttl_s', 'status']);
    for (const as of ['anonymous', member, other] as const) {
      const { body } = await send('GET', made.slug, undefined, { as });
      for (const [name] of hidden) expect(body).not.toHaveProperty(name);
      expect(body.file_summaries).toEqual([{ name: 'templates.zip', size: 7, type: 'application/zip' }]);
      expect(JSON.stringify(body)).not.toContain(fileIds.product);
    }
  });

  test('that are not published are 404 for all but those who may change them', async () => {
    const made = await create({ title: 'Own' }, { as: lecturer });
    for (const as of ['anonymous', member, other] as const)
      expect((await send('GET', made.id, undefined, { as })).status).toBe(404);
    expect((await send('GET', made.id, undefined, { as: lecturer })).body.view).toBe('staff');
    expect((await send('PATCH', made.id, { title: 'x' }, { as: other })).status).toBe(404);
    const shown = await published({ title: 'Others' });
    expect((await send('PATCH', shown.id, { title: 'x' }, { as: other })).body.error).toBe('access_denied');
    expect((await send('PATCH', shown.id, { title: 'x' }, { as: member })).body.error).toBe('insufficient_scope');
    expect((await send('PATCH', shown.id, { title: 'x' }, { as: 'anonymous' })).body.error).toBe('access_denied');
  });

  test('409 slug_taken: slugs are unique in the school; a former one answers 308', async () => {
    const made = await create({ slug: 'the-templates' });
    expect((await catalog.call('POST', path, { body: { title: 'x', slug: 'the-templates' } })).body.error).toBe(
      'slug_taken',
    );
    await create({ slug: 'the-templates' }, { school: 'school_2' });
    await send('PATCH', made.id, { slug: 'new-templates' });
    const old = await send('GET', 'the-templates');
    expect([old.status, old.headers.get('location')]).toEqual([308, `${path}/new-templates`]);
  });

  test('409 invalid_state: what was public is archived, not deleted, and then it does not change any more', async () => {
    const made = await published({ title: 'Archived' });
    expect((await send('DELETE', made.id)).body.error).toBe('invalid_state');
    expect((await send('POST', `${made.id}/unpublish`)).body.status).toBe('unpublished');
    expect((await send('POST', `${made.id}/archive`)).body.status).toBe('archived');
    await catalog.settled();
    const listed = async (query: string) =>
      (await catalog.call('GET', `${path}?ids=${made.id}${query}`)).body.data.length;
    expect([await listed(''), await listed('&status=archived')]).toEqual([0, 1]);
    for (const [method, at, body] of [
      ['PATCH', '', { title: 'x' }],
      ['PUT', '/files', { files: [] }],
      ['POST', '/publish', undefined],
    ] as const)
      expect((await send(method, made.id + at, body)).body.error).toBe('invalid_state');
    const draft = await create();
    expect((await send('POST', `${draft.id}/archive`)).body.error).toBe('invalid_state');
    expect((await send('DELETE', draft.id)).status).toBe(204);
    expect((await send('GET', draft.id)).status).toBe(404);
  });

  test('are listed for the public when published, for lecturers also the own ones, and found by words', async () => {
    const school: Sent = { school: 'school_2' };
    const own = await create({ title: 'Élan own' }, { ...school, as: lecturer });
    const draft = await create({ title: 'Elan draft' }, school);
    const shown = await create({ title: 'Elan public' }, school);
    await catalog.publish('media', {
      school: 'school_2',
      type: 'FileAnnounced',
      data: {
        ...files[0],
        purpose: 'product_file',
        access: 'private',
        content_type: 'application/zip',
        owner_id: 'acc_owner',
      },
    });
    const done = { file_id: fileIds.product, content_type: 'application/zip', size: 7, sha256: 'ab' };
    await catalog.publish('media', { school: 'school_2', type: 'FileReady', data: done });
    await catalog.settled();
    await send('PUT', `${shown.id}/files`, { files }, school);
    await send('POST', `${shown.id}/publish`, undefined, school);
    await catalog.settled();
    const ids = async (sent: Sent) =>
      (await catalog.call('GET', `${path}?q=elan&sort=created_at`, { ...school, ...sent })).body.data
        .map(({ id }: { id: string }) => id)
        .toSorted();
    expect(await ids({ as: 'anonymous' })).toEqual([shown.id]);
    expect(await ids({ as: lecturer })).toEqual([own.id, shown.id].toSorted());
    expect(await ids({})).toEqual([own.id, draft.id, shown.id].toSorted());
  });

  test('422 for unacceptable files, prices and limits', async () => {
    const made = await create();
    const [file] = files;
    for (const [method, at, body] of [
      ['PUT', '/files', { files: [file, file] }],
      ['PUT', '/files', { files: [{ ...file, type: 'pdf' }] }],
      ['PATCH', '', { prices: [{ amount: 1, currency: 'EUR' }] }],
      ['PATCH', '', { prices: [{ amount: -1 }] }],
      ['PATCH', '', { download_limit: 101 }],
      ['PATCH', '', { link_ttl_s: 59 }],
    ] as const)
      expect((await send(method, made.id + at, body)).status).toBe(422);
  });
});
