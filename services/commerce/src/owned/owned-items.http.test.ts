import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Selling, itemIds, memberToken, startSelling } from '../testing/selling.ts';

let shop: Selling;
beforeAll(async () => void (shop = await startSelling()));
afterAll(() => shop.close());

const access = (type: string, name: string, grant_id: string, more: object = {}) =>
  shop.publish('learning', {
    type,
    data: {
      enrollment_id: `enrollment_${name}`,
      member_id: `account_${name}`,
      grant_id,
      item_type: 'course',
      item_id: itemIds.lamps,
      source_type: 'order_line',
      source_id: `line_${grant_id}`,
      ...(type === 'AccessRevoked'
        ? { reason: 'refund' }
        : { starts_at: '2026-01-01T00:00:00.000Z', expires_at: null, ...more }),
    },
  });

const tryToBuy = async (name: string) => (await shop.buy(['lamps'], { as: memberToken(name) })).body.error ?? 'sold';

describe('what a member has already is not sold to them', () => {
  test('until the access has ended by time', async () => {
    await access('AccessGranted', 'timed', 'g1', { expires_at: '2026-01-05T09:00:00.000Z' });
    expect(await tryToBuy('timed')).toBe('already_owned');
    shop.clock.advance(2 * 3_600_000);
    expect(await tryToBuy('timed')).toBe('sold');
  });

  test('until the last of two grants is taken back: a refund of one order leaves the other', async () => {
    await access('AccessGranted', 'double', 'g1');
    await access('AccessGranted', 'double', 'g2');
    await access('AccessRevoked', 'double', 'g1');
    expect(await tryToBuy('double')).toBe('already_owned');
    await access('AccessRevoked', 'double', 'g2');
    expect(await tryToBuy('double')).toBe('sold');
  });

  test('also when the access was taken back before it was given, twice', async () => {
    await access('AccessRevoked', 'early', 'g1');
    await access('AccessRevoked', 'early', 'g1');
    expect(await tryToBuy('early')).toBe('sold');
    await access('AccessGranted', 'early', 'g2');
    expect(await tryToBuy('early')).toBe('already_owned');
  });

  test('nor is it to others what one member has', async () => {
    await access('AccessGranted', 'one', 'g1');
    expect([await tryToBuy('one'), await tryToBuy('none')]).toEqual(['already_owned', 'sold']);
  });
});

describe('two orders for one course', () => {
  /** Two guests' orders that turn out to be of one member: the member has both. */
  const twoOrders = async (email: string) => {
    const orders = [];
    for (let times = 0; times < 2; times += 1) {
      const { body } = await shop.buy(['lamps'], { as: 'anonymous', body: { email } });
      await shop.drive(body.id, 'succeed');
      orders.push(await shop.orderOnce(body.id, ({ buyer }) => buyer.member_id !== null));
    }
    return orders;
  };

  test('have lines of their own, of which a refund takes back those of its order only, however often it is told', async () => {
    const [one, other] = await twoOrders('both@example.org');
    expect(one.buyer.member_id).toBe(other.buyer.member_id);
    for (let times = 0; times < 3; times += 1)
      await shop.drive(one.payments[0].id, 'refund', { event_id: 'evt_refund_of_one' });
    expect(await shop.order(one.id)).toMatchObject({ status: 'refunded', lines: [{ revoked: true }] });
    expect(await shop.order(other.id)).toMatchObject({ status: 'paid', lines: [{ revoked: false }], refunds: [] });
  });

  test('a lost dispute about one leaves the other', async () => {
    const [one, other] = await twoOrders('disputed@example.org');
    await shop.drive(one.id, 'dispute');
    await shop.drive(one.id, 'lose_dispute');
    expect(await shop.order(one.id)).toMatchObject({ status: 'charged_back', lines: [{ revoked: true }] });
    expect(await shop.order(other.id)).toMatchObject({ status: 'paid', lines: [{ revoked: false }] });
  });

  test('a refund after a re-purchase that comes late, and fails later, touches the first order alone', async () => {
    const [one, other] = await twoOrders('late@example.org');
    const refund = await shop.call('POST', `/internal/orders/${one.id}/refunds`, {
      headers: { 'idempotency-key': 'late-refund' },
      body: { school: 'school_1', reason: 'asked for' },
    });
    await shop.orderOnce(one.id, ({ status }) => status === 'refunded');
    await shop.drive(one.id, 'fail_refund', { refund_id: refund.body.refunds[0].id });
    expect(await shop.order(one.id)).toMatchObject({ status: 'paid', lines: [{ revoked: false }] });
    expect(await shop.order(other.id)).toMatchObject({ status: 'paid', refunds: [] });
  });
});
