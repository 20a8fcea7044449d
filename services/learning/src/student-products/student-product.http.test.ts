import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { type Learning, memberToken, productIds, startLearning } from '../testing.ts';

let learning: Learning;
beforeAll(async () => void (learning = await startLearning()));
afterAll(() => learning.close());

const of = (member: string, product?: keyof typeof productIds) =>
  `/api/students/account_${member}/digital_products${product ? `/${productIds[product]}` : ''}`;
const later = (days: number) => new Date(learning.clock.now() + days * 86_400_000).toISOString();

describe('giving a digital product', () => {
  test('gives access at once, for ever or until a time, and once at a time', async () => {
    const made = await learning.give('member', 'paid');
    expect([made.status, made.headers.get('location')]).toEqual([201, of('member', 'paid')]);
    expect(made.body).toMatchObject({
      object: 'product_access',
      member_id: 'account_member',
      product_id: productIds.paid,
      state: 'active',
      expires_at: null,
      grants: [{ source_type: 'staff', state: 'live', expires_at: null }],
      view: 'staff',
    });
    expect((await learning.call('GET', of('member', 'paid'))).body).toEqual(made.body);
    expect((await learning.give('member', 'paid')).body.error).toBe('already_granted');
    const expires_at = later(10);
    expect((await learning.give('other', 'paid', { expires_at })).body).toMatchObject({ expires_at, state: 'active' });
    learning.clock.advance(10 * 86_400_000);
    expect((await learning.call('GET', of('other', 'paid'))).body).toMatchObject({
      state: 'lapsed',
      grants: [{ state: 'expired' }],
    });
  });

  test('is repeated by its key without another grant', async () => {
    const headers = { 'idempotency-key': 'the-same-gift' };
    const give = () => learning.call('POST', of('enrolled'), { body: { product_id: productIds.paid }, headers });
    const first = await give();
    expect([(await give()).body, first.status]).toEqual([first.body, 201]);
  });

  test.each([
    ['a product that does not exist', 'none', {}, 'validation_failed'],
    ['a draft', 'draft', {}, 'validation_failed'],
    ['a product that was put away', 'archived', {}, 'invalid_state'],
    ['access that ends in the past', 'free', { expires_at: '2020-01-01T00:00:00Z' }, 'validation_failed'],
    ['an id of a course', 'free', { product_id: 'course_1' }, 'validation_failed'],
  ] as const)('is refused with %s', async (_, product, more, error) => {
    expect((await learning.give('member', product, more)).body.error).toBe(error);
  });

  test('is refused for nobody, and for whoever is erased', async () => {
    expect((await learning.give('nobody', 'free')).body.error).toBe('not_found');
    expect((await learning.give('erased', 'free')).body.error).toBe('erased');
  });
});

test('what the staff gave is extended and taken back, at the version that was seen', async () => {
  const given = (await learning.give('member', 'foreign', { expires_at: later(5) })).body;
  const path = of('member', 'foreign');
  const expires_at = later(9);
  const stale = { headers: { 'if-match': `"${given.version + 1}"` } };
  expect((await learning.call('PATCH', path, { body: { expires_at }, ...stale })).status).toBe(412);
  expect((await learning.call('PATCH', path, { body: { expires_at } })).body).toMatchObject({ expires_at });
  expect((await learning.call('PATCH', path, { body: { expires_at: '2020-01-01T00:00:00Z' } })).status).toBe(422);
  const over = await learning.call('DELETE', path);
  expect([over.status, over.body]).toMatchObject([200, { state: 'lapsed', grants: [{ state: 'revoked' }] }]);
  expect((await learning.call('PATCH', path, { body: { expires_at } })).body.error).toBe('invalid_state');
  expect((await learning.call('DELETE', of('other', 'foreign'))).status).toBe(404);
});

test('lists are of one member: for lecturers of the products that they made, page by page, and for others empty', async () => {
  const own = await startLearning();
  try {
    for (const product of ['paid', 'foreign', 'free'] as const) {
      await own.give('member', product);
      own.clock.advance(1_000);
    }
    await own.give('other', 'paid');
    await own.settled();
    const read = async (as: TokenClaims | 'anonymous', query = '') =>
      (await own.call('GET', of('member') + query, { as })).body;
    const titles = ({ data }: { data: { product_title: string }[] }) => data.map((each) => each.product_title);
    const [owner, lecturer]: TokenClaims[] = [
      { role: 'owner', subject: 'account_owner' },
      { role: 'lecturer', subject: 'account_lecturer' },
    ];
    expect(titles(await read(owner!))).toEqual(['Title of free', 'Title of foreign', 'Title of paid']);
    expect(titles(await read(lecturer!))).toEqual(['Title of free', 'Title of paid']);
    expect(await read('anonymous')).toMatchObject({ data: [], view: 'anonymous' });
    const pages: string[][] = [];
    for (let cursor = ''; pages.length < 5;) {
      const page = await read(lecturer!, `?limit=1${cursor}`);
      pages.push(titles(page));
      if (!page.has_more) break;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
    expect(pages).toEqual([['Title of free'], [], ['Title of paid']]);
  } finally {
    await own.close();
  }
});

test('an erased member has nothing any more', async () => {
  const own = await startLearning();
  try {
    await own.give('member', 'paid');
    await own.settled();
    await own.publish('school', {
      type: 'MemberErased',
      data: { member_id: 'account_member', tokens_not_before: '2026-01-01T00:00:00.000Z' },
    });
    await own.settled();
    expect((await own.call('GET', of('member', 'paid'))).body.error).toBe('erased');
    expect((await own.call('GET', of('member'))).body.error).toBe('erased');
    expect((await own.call('GET', of('member'), { as: 'anonymous' })).body.data).toEqual([]);
    expect((await own.call('DELETE', of('member', 'paid'))).body.error).toBe('erased');
  } finally {
    await own.close();
  }
});

test('members see no grants of theirs, and nothing of others', async () => {
  const own = await startLearning();
  try {
    await own.give('member', 'paid');
    await own.settled();
    const [mine] = (await own.call('GET', '/api/account/downloads', { as: memberToken('member') })).body.data;
    expect(Object.keys(mine)).not.toEqual(expect.arrayContaining(['grants']));
    expect(Object.keys(mine)).not.toContain('member_id');
    expect((await own.call('GET', '/api/account/downloads', { as: memberToken('other') })).body.data).toEqual([]);
  } finally {
    await own.close();
  }
});
