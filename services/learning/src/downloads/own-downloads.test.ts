import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Message } from '@lyceum/channel';
import { disagreements } from '@lyceum/web';
import { productAccessRejections } from '../product-access/product-access.write.ts';
import { type Learning, fileIds, memberToken, productIds, startLearning } from '../testing.ts';

let learning: Learning;
beforeAll(async () => void (learning = await startLearning()));
afterAll(() => learning.close());

const path = '/api/account/downloads';
const download = (product: keyof typeof productIds, member = 'member', more: object = {}, headers = {}) =>
  learning.call('POST', path, {
    as: memberToken(member),
    body: { product_id: productIds[product], file_id: fileIds.only, ...more },
    headers,
  });
const listOf = async (member: string, query = '') => {
  await learning.settled();
  return (await learning.call('GET', path + query, { as: memberToken(member) })).body.data;
};

test('rejections have the statuses of the error table', () =>
  expect(disagreements(productAccessRejections)).toEqual([]));

describe('a download of a digital product', () => {
  test('is a signed address that ends when the product says, and what is free is listed then', async () => {
    expect(await listOf('member')).toEqual([]);
    const { status, body } = await download('free');
    expect(status).toBe(201);
    const expires_at = new Date(Math.floor(learning.clock.now() / 1_000 + 600) * 1_000).toISOString();
    expect(body).toEqual({
      object: 'download',
      product_id: productIds.free,
      file_id: fileIds.only,
      url: expect.stringMatching(/\/media\/files\/[\w-]+\.[\w-]+$/),
      expires_at,
      downloads_left: null,
      view: 'member',
    });
    expect(await listOf('member')).toEqual([
      expect.objectContaining({
        product_id: productIds.free,
        product_title: 'Title of free',
        state: 'active',
        downloads: 1,
        downloads_left: null,
        files: [{ file_id: fileIds.only, name: 'templates.zip', size: 7, type: 'application/zip' }],
        view: 'member',
      }),
    ]);
    expect(await listOf('member', `?product_id=${productIds.paid}`)).toEqual([]);
    expect(await listOf('other')).toEqual([]);
  });

  test('50 at once with a limit of 3: exactly 3 are issued', async () => {
    const got = await Promise.all(Array.from({ length: 50 }, () => download('limited')));
    const issued = got.filter(({ status }) => status === 201);
    expect(issued.map(({ body }) => body.downloads_left).toSorted()).toEqual([0, 1, 2]);
    const refused = got.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ body }) => body.error))).toEqual(new Set(['download_limit']));
    expect(await listOf('member', `?product_id=${productIds.limited}`)).toEqual([
      expect.objectContaining({ downloads: 3, downloads_left: 0 }),
    ]);
  });

  test('that is asked for again with its key is the same, and counted once', async () => {
    const again = () => download('limited', 'other', {}, { 'idempotency-key': 'the-same-download' });
    const first = await again();
    learning.clock.advance(60_000);
    const second = await again();
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(second.body.downloads_left).toBe(2);
    expect((await download('limited', 'other')).body.downloads_left).toBe(1);
  });

  test.each([
    ['is not free', 'paid', 403, 'access_denied'],
    ['does not exist', 'none', 404, 'not_found'],
    ['is a draft', 'draft', 404, 'not_found'],
    ['is public no longer', 'unpublished', 404, 'not_found'],
    ['was put away', 'archived', 404, 'not_found'],
    ['has a file of before there were uploads', 'old', 409, 'file_not_ready'],
  ] as const)('is refused where the product %s', async (_, product, status, error) => {
    const more = product === 'old' ? { file_id: 'file_1' } : {};
    const got = await download(product, 'member', more);
    expect([got.status, got.body.error]).toEqual([status, error]);
  });

  test('of a file of another product is 404, and of ids of another form 422', async () => {
    expect((await download('free', 'other', { file_id: fileIds.none })).status).toBe(404);
    for (const more of [{ product_id: 'course_1' }, { file_id: '' }, { file_id: 'a'.repeat(65) }, { more: 1 }])
      expect((await download('free', 'other', more)).status).toBe(422);
    expect(await listOf('other', `?product_id=${productIds.free}`)).toEqual([]);
  });

  test('follows what the staff give and take back; those who had it see that', async () => {
    const path = `/api/students/account_enrolled/digital_products/${productIds.paid}`;
    expect((await learning.give('enrolled', 'paid')).status).toBe(201);
    expect((await download('paid', 'enrolled')).status).toBe(201);
    expect((await learning.call('DELETE', path)).body).toMatchObject({ state: 'lapsed', downloads: 1, files: [] });
    expect((await download('paid', 'enrolled')).body.error).toBe('access_denied');
    expect(await listOf('enrolled')).toEqual([
      expect.objectContaining({ state: 'lapsed', downloads_left: 0, files: [] }),
    ]);
    expect((await learning.give('enrolled', 'paid')).status).toBe(201);
    expect((await download('paid', 'enrolled')).status).toBe(201);
  });

  test('is counted anew for who had lost access: all are left then', async () => {
    expect((await learning.give('enrolled', 'limited')).status).toBe(201);
    expect((await download('limited', 'enrolled')).body.downloads_left).toBe(2);
    await learning.call('DELETE', `/api/students/account_enrolled/digital_products/${productIds.limited}`);
    expect((await learning.give('enrolled', 'limited')).body).toMatchObject({ downloads: 1, downloads_left: 3 });
    expect((await download('limited', 'enrolled')).body.downloads_left).toBe(2);
  });

  test('needs account:write, the list account:read', async () => {
    const body = { product_id: productIds.free, file_id: fileIds.only };
    const reading = { as: memberToken('other', ['account:read']) };
    expect((await learning.call('POST', path, { ...reading, body })).body.error).toBe('insufficient_scope');
    const writing = { as: memberToken('other', ['account:write']) };
    expect((await learning.call('GET', path, writing)).body.error).toBe('insufficient_scope');
  });

  test('is 503 while the catalog cannot be asked, or does not know the question, and nothing is counted', async () => {
    let answer = async (): Promise<unknown> => undefined;
    const own = await startLearning({ ports: { ask: async () => answer() } });
    try {
      const body = { product_id: productIds.free, file_id: fileIds.only };
      const ask = () => own.call('POST', path, { as: memberToken('member'), body });
      for (const each of [
        async () => undefined,
        async () => Promise.reject(new Error('away')),
        async () => ({ a: 1 }),
      ]) {
        answer = each;
        const got = await ask();
        expect([got.status, got.body.error]).toEqual([503, 'temporarily_unavailable']);
      }
    } finally {
      await own.close();
    }
  });
});

test('other services hear of grants of products and of downloads, by ids', async () => {
  const heard: Message[] = [];
  const own = await startLearning();
  const subscribed = own.channel.subscribe({
    consumer: 'test',
    source: 'learning',
    from: async () => 0,
    handle: async (message) => void heard.push(message),
  });
  try {
    const given = (await own.give('member', 'paid')).body;
    const body = { product_id: productIds.paid, file_id: fileIds.only };
    await own.call('POST', path, { as: memberToken('member'), body });
    await own.call('DELETE', `/api/students/account_member/digital_products/${productIds.paid}`);
    await subscribed.caughtUp();
    const access = { enrollment_id: given.id, member_id: 'account_member' };
    const granted = { ...access, item_type: 'digital_product', item_id: productIds.paid, source_type: 'staff' };
    expect(heard.flatMap(({ facts }) => facts.map(({ type, data }) => ({ type, data })))).toMatchObject([
      { type: 'AccessGranted', data: { ...granted, expires_at: null } },
      { type: 'DownloadIssued', data: { ...access, ...body, n: 1, used: 1 } },
      { type: 'AccessRevoked', data: { ...granted, reason: 'staff' } },
    ]);
  } finally {
    await subscribed.close();
    await own.close();
  }
});
