import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@lyceum/testkit';
import { type Selling, startSelling } from '../../testing/selling.ts';

const day = 24 * 3_600_000;
const guest = { as: 'anonymous', body: { email: 'gone@example.org', name: 'Gone Girl' } } as const;

describe('the address and the name of a guest', () => {
  let shop: Selling;
  afterEach(() => shop.close());

  /** All that stands in the log, as it is read now. */
  const told = async (id: string) => JSON.stringify((await shop.log.load('school_1', [id])).commits);
  const buyerOf = (id: string) => id.replace(/^order_/, 'buyer_');

  test.each(['expired', 'canceled', 'failed'])('are gone 30 days after an order that is %s', async (status) => {
    shop = await startSelling();
    const { body } = await shop.buy(['lamps'], guest);
    if (status === 'failed') await shop.drive(body.id, 'fail');
    const cancel = { school: 'school_1', reason: 'asked for' };
    if (status === 'canceled') await shop.call('POST', `/internal/orders/${body.id}/cancel`, { body: cancel });
    shop.clock.advance(31 * 60_000);
    await shop.orderOnce(body.id, (order) => order.status === status);
    await shop.settled();
    shop.clock.advance(29 * day);
    await shop.settled();
    expect([shop.erased.length, await told(body.id)]).toEqual([0, expect.stringContaining('gone@example.org')]);
    shop.clock.advance(day);
    await until(() => shop.erased.includes(buyerOf(body.id)));
    // The key is gone: nobody reads it any more, whatever is built anew.
    for (const word of ['gone@example.org', 'Gone Girl']) expect(await told(body.id)).not.toContain(word);
    for (const model of shop.started.readModels ?? []) await model.rebuild();
    await shop.settled();
    const order = await shop.order(body.id);
    expect(order).toMatchObject({ number: 1, status, buyer: { member_id: null, email: null, name: null } });
    expect(JSON.stringify((await shop.call('GET', '/api/orders')).body)).not.toContain('gone@');
    const own = { as: 'anonymous', headers: { 'order-secret': body.order_secret } } as const;
    expect((await shop.call('GET', `/api/checkout/${body.id}`, own)).status).toBe(200);
  });

  test('stay with an order that is paid', async () => {
    shop = await startSelling();
    const { body } = await shop.buy(['lamps'], guest);
    await shop.drive(body.id, 'succeed');
    await shop.orderOnce(body.id, ({ buyer }) => buyer.member_id !== null);
    shop.clock.advance(60 * day);
    await shop.settled();
    expect(await told(body.id)).toContain('gone@example.org');
    expect(shop.erased).toEqual([]);
  });
});
