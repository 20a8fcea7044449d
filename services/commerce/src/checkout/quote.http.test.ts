import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Selling, itemIds, startSelling } from '../testing/selling.ts';

let shop: Selling;
beforeAll(async () => void (shop = await startSelling()));
afterAll(() => shop.close());

const usd = (amount: number) => ({ amount, currency: 'USD' });

describe('a quote', () => {
  const quote = (names: readonly (keyof typeof itemIds)[], more: object = {}) =>
    shop.call('POST', '/api/checkout/quotes', {
      as: 'anonymous',
      body: { items: names.map((name) => ({ item_type: 'course', item_id: itemIds[name] })), ...more },
    });

  test('says what things cost and leaves nothing behind', async () => {
    const before = await shop.buy(['lamps']);
    const { status, body } = await quote(['lamps', 'looms']);
    expect([status, body]).toMatchObject([
      200,
      { object: 'quote', lines: [{ total: usd(4_900) }, { total: usd(3_333) }], total: usd(8_233), currency: 'USD' },
    ]);
    expect((await quote(['gone'])).body.error).toBe('validation_failed');
    expect((await shop.buy(['lamps'])).body.order.number).toBe(before.body.order.number + 1);
  });

  test('is given ten times in a minute to one address that names a coupon, and sixty times without', async () => {
    const strict = await startSelling({ settings: { RATE_LIMIT_FACTOR: 1 } });
    const ask = (address: string, more: object = { coupon_code: 'GUESS' }) =>
      strict.call('POST', '/api/checkout/quotes', {
        as: 'anonymous',
        headers: { 'x-client-address': address },
        body: { items: [{ item_type: 'course', item_id: itemIds.lamps }], ...more },
      });
    const statuses: number[] = [];
    for (let times = 0; times < 11; times += 1) statuses.push((await ask('192.0.2.1')).status);
    expect([statuses.slice(0, 10).every((status) => status === 409), statuses[10]]).toEqual([true, 429]);
    expect((await ask('192.0.2.2')).status).toBe(409);
    const open: number[] = [];
    for (let times = 0; times < 61; times += 1) open.push((await ask('192.0.2.1', {})).status);
    expect([open.slice(0, 60).every((status) => status === 200), open[60]]).toEqual([true, 429]);
    // A checkout with a coupon tries a code, too, whatever else is wrong with it.
    const buy = (address: string, key: string, more: object) =>
      strict.call('POST', '/api/checkout', {
        as: 'anonymous',
        headers: { 'x-client-address': address, 'idempotency-key': key },
        body: { items: [{ item_type: 'course', item_id: itemIds.lamps }], email: 'ada@example.org', ...more },
      });
    const guess = { coupon_code: 'GUESS', expected_total: { amount: 1, currency: 'USD' } };
    expect((await buy('192.0.2.1', 'first', guess)).status).toBe(429);
    expect((await buy('192.0.2.2', 'second', guess)).body.error).toBe('coupon_invalid');
    expect((await buy('192.0.2.1', 'third', {})).status).toBe(201);
    await strict.close();
  });
});
