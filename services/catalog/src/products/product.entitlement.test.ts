import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { type Catalog, type Sent, fileIds, startCatalog } from '../testing.ts';

let catalog: Catalog;
let paid: string;
let free: string;
beforeAll(async () => {
  catalog = await startCatalog();
  paid = await published({ title: 'Templates', prices: [{ amount: 900 }], download_limit: 3 });
  free = await published({ title: 'Chart', download_limit: 2 });
});
afterAll(() => catalog.close());

const path = '/api/digital_products';
const file = { file_id: fileIds.product, name: 'templates.zip', size: 7, type: 'application/zip' };
const memberOf = (subject: string): TokenClaims => ({ role: 'member', subject, scopes: ['digital_products:read'] });

async function published(body: object): Promise<string> {
  const { id } = (await catalog.call('POST', path, { body })).body;
  await catalog.call('PUT', `${path}/${id}/files`, { body: { files: [file] } });
  expect((await catalog.call('POST', `${path}/${id}/publish`)).status).toBe(200);
  return id;
}

/** The learning service publishes something about a member's access. */
async function publish(type: string, member_id: string, more: object = {}, school = 'school_1') {
  const grant = {
    item_type: 'digital_product',
    item_id: paid,
    grant_id: 'grant_1',
    source_type: 'staff',
    source_id: 'commit_1',
  };
  const data = {
    AccessGranted: { ...grant, starts_at: new Date(catalog.clock.now()).toISOString(), expires_at: null },
    AccessRevoked: { ...grant, reason: 'staff' },
    DownloadIssued: { product_id: paid, file_id: fileIds.product, n: 1 },
  }[type];
  const access = { enrollment_id: 'product_access_1', member_id };
  await catalog.publish('learning', { type, data: { ...access, ...data, ...more }, school });
  await catalog.settled();
}

async function read(id: string, sent: Sent) {
  const { downloads, downloads_left } = (await catalog.call('GET', `${path}/${id}`, sent)).body;
  return { downloads, downloads_left };
}
const nothing = { downloads: undefined, downloads_left: undefined };

describe('what a member may download of a product', () => {
  test('is shown to those who have access, with how often they still may, until it ends', async () => {
    const as = memberOf('acc_buyer');
    expect(await read(paid, { as })).toEqual(nothing);
    await publish('AccessGranted', 'acc_buyer');
    expect(await read(paid, { as })).toEqual({ downloads: [file], downloads_left: 3 });
    await publish('DownloadIssued', 'acc_buyer', { n: 2 });
    expect(await read(paid, { as })).toEqual({ downloads: [file], downloads_left: 1 });
    await publish('AccessRevoked', 'acc_buyer');
    expect(await read(paid, { as })).toEqual(nothing);
    await publish('AccessGranted', 'acc_buyer', { grant_id: 'grant_2' });
    expect(await read(paid, { as })).toEqual({ downloads: [file], downloads_left: 3 });
  });

  test('counts downloads anew with a grant that finds no live one, and not with one beside another', async () => {
    const left = async (member: string) => (await read(paid, { as: memberOf(member) })).downloads_left;
    const starts_at = '2025-12-01T00:00:00.000Z';
    // What is published here was committed as 2026 began.
    await publish('AccessGranted', 'acc_more', { starts_at, expires_at: '2026-02-01T00:00:00.000Z' });
    await publish('AccessGranted', 'acc_again', { starts_at, expires_at: '2026-01-01T00:00:00.000Z' });
    for (const member of ['acc_more', 'acc_again']) {
      await publish('DownloadIssued', member, { n: 2, used: 2 });
      await publish('AccessGranted', member, { grant_id: 'grant_2' });
    }
    expect([await left('acc_more'), await left('acc_again')]).toEqual([1, 3]);
    await publish('DownloadIssued', 'acc_again', { n: 3, used: 1 });
    expect(await left('acc_again')).toBe(2);
  });

  test('are all of them where what is free was lost: taking it begins anew', async () => {
    const as = memberOf('acc_free');
    await publish('AccessGranted', 'acc_free', { item_id: free });
    await publish('DownloadIssued', 'acc_free', { product_id: free, n: 2, used: 2 });
    expect((await read(free, { as })).downloads_left).toBe(0);
    await publish('AccessRevoked', 'acc_free', { item_id: free });
    expect((await read(free, { as })).downloads_left).toBe(2);
  });

  test('is shown of what is free to every member, and to nobody without a token', async () => {
    expect(await read(free, { as: memberOf('acc_any') })).toEqual({ downloads: [file], downloads_left: 2 });
    expect(await read(free, { as: 'anonymous' })).toEqual(nothing);
    expect(await read(paid, { as: 'anonymous' })).toEqual(nothing);
  });

  test('follows no grant of another member, school or thing, and goes with an erased person', async () => {
    await publish('AccessGranted', 'acc_one', {}, 'school_2');
    await publish('AccessGranted', 'acc_one', { item_id: free });
    await publish('AccessGranted', 'acc_one', { item_type: 'course' });
    await publish('AccessGranted', 'acc_other');
    expect(await read(paid, { as: memberOf('acc_one') })).toEqual(nothing);
    await catalog.publish('learning', { type: 'SubjectErased', data: { subject: 'acc_other' } });
    await catalog.settled();
    expect(await read(paid, { as: memberOf('acc_other') })).toEqual(nothing);
  });

  test('has no ETag, for it changes without the product', async () => {
    const got = await catalog.call('GET', `${path}/${paid}`, { as: memberOf('acc_tag') });
    expect(got.headers.get('etag')).toBeNull();
    expect((await catalog.call('GET', `${path}/${paid}`)).headers.get('etag')).not.toBeNull();
  });
});

test('the service whose members download asks for products, drafts too: as of now, of its school only', async () => {
  const { body: draft } = await catalog.call('POST', path, { body: { title: 'Draft', link_ttl_s: 60 } });
  const ask = (school: string, ids: readonly string[]) =>
    catalog.started.answer?.({ kind: 'offered-products', school, ids });
  expect(await ask('school_1', [paid, draft.id, 'product_none', 'course_1'])).toEqual({
    products: {
      [paid]: expect.objectContaining({
        title: 'Templates',
        status: 'published',
        access: 'paid',
        download_limit: 3,
        files: [file],
      }),
      [draft.id]: expect.objectContaining({ status: 'draft', access: 'free', link_ttl_s: 60, files: [] }),
    },
  });
  expect(await ask('school_2', [paid])).toEqual({ products: {} });
});
