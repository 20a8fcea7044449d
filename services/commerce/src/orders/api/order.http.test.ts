import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { type Selling, itemIds, memberToken, startSelling } from '../../testing/selling.ts';

let shop: Selling;
let order: string;
beforeAll(async () => {
  shop = await startSelling();
  const { body } = await shop.buy(['lamps', 'looms'], { as: memberToken('buyer') });
  order = body.id;
  await shop.drive(order, 'succeed');
  await shop.buy(['lamps'], { as: 'anonymous', body: { email: 'ada@example.org' } });
  await shop.settled();
});
afterAll(() => shop.close());

const list = async (query = '') => (await shop.call('GET', `/api/orders${query}`)).body;
const idsOf = ({ data }: { data: readonly { id: string }[] }) => data.map(({ id }) => id);

describe('the list of orders', () => {
  test('has them newest first, without addresses, secrets or providers’ references', async () => {
    const body = await list();
    expect(body).toMatchObject({ object: 'list', view: 'staff', data: [{ number: 2 }, { number: 1, status: 'paid' }] });
    expect(JSON.stringify(body)).not.toMatch(/ada@example|secret|reference/);
  });

  test.each([
    ['?status=paid', 1],
    ['?status=pending', 1],
    ['?status=refunded', 0],
    ['?member_id=account_buyer', 1],
    ['?member_id=account_other', 0],
    [`?item_id=${itemIds.looms}`, 1],
    [`?item_id=${itemIds.lamps}`, 2],
    ['?coupon=welcome10', 0],
    ['?paid_after=2026-01-05T07:00:00Z', 1],
    ['?paid_before=2026-01-05T07:00:00Z', 0],
    ['?placed_after=2026-01-05T07:00:00Z', 2],
    ['?placed_before=2026-01-05T07:00:00Z', 0],
  ])('can be asked for by %s', async (query, count) => expect((await list(query)).data).toHaveLength(count));

  test('is paged, and its fields chosen', async () => {
    const first = await list('?limit=1&fields=number');
    const second = await list(`?limit=1&fields=number&cursor=${first.next_cursor}`);
    const shown = { object: 'order', view: 'staff' };
    expect([first.data, second.data, second.has_more]).toEqual([
      [{ id: expect.any(String), number: 2, ...shown }],
      [{ id: order, number: 1, ...shown }],
      false,
    ]);
  });
});

describe('who may read orders', () => {
  const as = (role: TokenClaims['role'], scopes?: TokenClaims['scopes']): TokenClaims => ({
    ...(role ? { role } : {}),
    subject: `account_${role}`,
    ...(scopes ? { scopes } : {}),
  });
  test.each<[string, TokenClaims | 'anonymous', string, number, number]>([
    ['an owner', as('owner'), 'school_1', 200, 200],
    ['an admin', as('admin'), 'school_1', 200, 200],
    ['an admin without the scope', as('admin', ['courses:read']), 'school_1', 403, 403],
    ['a lecturer', as('lecturer', ['orders:read']), 'school_1', 403, 403],
    ['a member', as('member', ['account:read']), 'school_1', 403, 403],
    ['nobody', 'anonymous', 'school_1', 200, 404],
    ['the owner of another school', as('owner'), 'school_2', 200, 404],
  ])('%s', async (_, caller, school, lists, reads) => {
    const listed = await shop.call('GET', '/api/orders', { as: caller, school });
    const read = await shop.call('GET', `/api/orders/${order}`, { as: caller, school });
    expect([listed.status, read.status]).toEqual([lists, reads]);
    if (caller === 'anonymous' || school === 'school_2') expect(listed.body.data).toEqual([]);
  });

  test('a member reads their own orders, in their own school, without what is the staff’s', async () => {
    const own = (name: string, more: object = {}) =>
      shop.call('GET', '/api/account/orders', { as: memberToken(name), ...more });
    const { body } = await own('buyer');
    expect([idsOf(body), body.data[0].buyer, body.data[0].refused]).toEqual([[order], undefined, undefined]);
    expect((await own('other')).body.data).toEqual([]);
    expect((await own('buyer', { school: 'school_2' })).body.data).toEqual([]);
    expect((await own('buyer', { as: 'anonymous' })).status).toBe(403);
    const narrow = { ...memberToken('buyer'), scopes: ['courses:read'] as const };
    expect((await own('buyer', { as: narrow })).body.error).toBe('insufficient_scope');
  });

  test('buys with the scope to act as oneself only', async () => {
    const narrow = { ...memberToken('buyer'), scopes: ['account:read'] as const };
    expect((await shop.buy(['lamps'], { as: narrow })).body.error).toBe('insufficient_scope');
  });

  test('moves money as the operator only: clients have no such operations', async () => {
    for (const path of [`/internal/payments/test/${order}/refund`, `/internal/orders/${order}/refunds`]) {
      const { status } = await shop.call('POST', path.replace('/internal', '/api'), { body: { school: 'school_1' } });
      expect(status).toBe(404);
    }
    const other = await shop.drive(order, 'refund', { school: 'school_2' });
    expect(other.body.error).toBe('not_found');
  });
});
