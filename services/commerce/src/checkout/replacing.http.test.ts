import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Selling, itemIds, memberToken, startSelling } from '../testing/selling.ts';

let shop: Selling;
beforeAll(async () => void (shop = await startSelling()));
afterAll(() => shop.close());

const guest = (email: string, body: object = {}) => ({ as: 'anonymous', body: { email, ...body } }) as const;
/** Buys the lamps as a guest who has these secrets of orders. */
const buyAgain = (email: string, secrets: readonly string[]) =>
  shop.call('POST', '/api/checkout', {
    as: 'anonymous',
    headers: { 'order-secret': secrets.join(', '), 'idempotency-key': `again-${(again += 1)}` },
    body: { email, items: [{ item_type: 'course', item_id: itemIds.lamps }] },
  });
let again = 0;
const statusOf = async (id: string) => (await shop.order(id)).status;

describe('who checks out the same item again', () => {
  test('as a member has one order to pay: the older one is canceled, and money for it goes back', async () => {
    const as = memberToken('again');
    const first = await shop.buy(['lamps', 'files'], { as });
    const second = await shop.buy(['lamps'], { as });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect([await statusOf(first.body.id), await statusOf(second.body.id)]).toEqual(['canceled', 'pending']);
    await shop.drive(first.body.id, 'succeed');
    await shop.orderOnce(first.body.id, ({ refunds }) => refunds[0]?.state === 'returned');
    expect((await shop.drive(second.body.id, 'succeed')).body.status).toBe('paid');
  });

  test('as a guest with the secret of the older order, by the address however it is written', async () => {
    const first = await shop.buy(['lamps'], guest('Twice@example.org'));
    const second = await buyAgain('twice@EXAMPLE.org', ['x'.repeat(43), first.body.order_secret]);
    expect([await statusOf(first.body.id), await statusOf(second.body.id)]).toEqual(['canceled', 'pending']);
    await buyAgain('somebody@example.org', [second.body.order_secret]);
    expect(await statusOf(second.body.id)).toBe('pending');
  });

  test('as somebody who knows the address of a guest cancels nothing, and the guest still can', async () => {
    const own = await shop.buy(['lamps'], guest('known@example.org'));
    const { order_secret: other } = (await shop.buy(['looms'], guest('mallory@example.org'))).body;
    const strange = [await shop.buy(['lamps'], guest('known@example.org'))];
    for (const secrets of [['x'], [other], [own.body.order_secret.slice(1)], Array<string>(9).fill(other)])
      strange.push(await buyAgain('known@example.org', secrets));
    expect(strange.map(({ status }) => status)).toEqual(strange.map(() => 201));
    expect(await statusOf(own.body.id)).toBe('pending');
    const again = await buyAgain('known@example.org', [own.body.order_secret]);
    expect([again.status, await statusOf(own.body.id)]).toEqual([201, 'canceled']);
    for (const { body } of strange) expect(await statusOf(body.id)).toBe('pending');
  });

  test('leaves orders of other items, of other people, and what is paid, as they are', async () => {
    const as = memberToken('careful');
    const other = await shop.buy(['looms'], { as });
    const first = await shop.buy(['lamps'], { as });
    await shop.drive(first.body.id, 'succeed');
    const again = await shop.buy(['lamps'], { as });
    expect(again.status).toBe(201);
    expect([await statusOf(other.body.id), await statusOf(first.body.id)]).toEqual(['pending', 'paid']);
  });

  test('20 times at once holds one seat, and the others get theirs', async () => {
    const own = await startSelling();
    const as = memberToken('eager');
    const all = await Promise.all(Array.from({ length: 20 }, () => own.buy(['seats'], { as })));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 201));
    const states = await Promise.all(all.map(async ({ body }) => (await own.order(body.id)).status));
    expect(states.filter((status) => status === 'pending')).toHaveLength(1);
    expect(states.filter((status) => status === 'canceled')).toHaveLength(19);
    for (let index = 0; index < 4; index += 1)
      expect((await own.buy(['seats'], { as: memberToken(`other_${index}`) })).status).toBe(201);
    expect((await own.buy(['seats'], { as: memberToken('late') })).body.error).toBe('sold_out');
    // What is sold out for others is not for who holds a seat: not in a quote, nor in a checkout.
    const quoted = await own.call('POST', '/api/checkout/quotes', {
      as,
      body: { items: [{ item_type: 'course', item_id: itemIds.seats }] },
    });
    expect(quoted.status).toBe(200);
    expect((await own.buy(['seats'], { as })).status).toBe(201);
    await own.close();
  });

  test('with a coupon that each person may use once uses it in the newer order', async () => {
    const body = { code: 'ONCEEACH', kind: 'percent', value: 10, per_member_limit: 1, max_redemptions: 1 };
    const { body: coupon } = await shop.call('POST', '/api/coupons', { body });
    const buying = { as: memberToken('thrifty'), body: { coupon_code: 'ONCEEACH' } };
    const first = await shop.buy(['lamps'], buying);
    const second = await shop.buy(['lamps'], buying);
    expect([first.status, second.status, await statusOf(first.body.id)]).toEqual([201, 201, 'canceled']);
    expect((await shop.drive(second.body.id, 'succeed')).body.status).toBe('paid');
    expect((await shop.call('GET', `/api/coupons/${coupon.id}`)).body).toMatchObject({ redeemed: 1, held: 0 });
  });
});

describe('a limit for each person', () => {
  test('counts for the member what the guest has used, who turned out to be that member', async () => {
    const { body: coupon } = await shop.call('POST', '/api/coupons', {
      body: { code: 'PERPERSON', kind: 'percent', value: 10, per_member_limit: 1 },
    });
    const first = await shop.buy(['lamps'], guest('joined@example.org', { coupon_code: 'PERPERSON' }));
    await shop.drive(first.body.id, 'succeed');
    const { buyer } = await shop.orderOnce(first.body.id, (order) => order.buyer.member_id !== null);
    const as = { role: 'member', subject: buyer.member_id, scopes: ['account:read', 'account:write'] } as const;
    const again = await shop.buy(['looms'], { as, body: { coupon_code: 'PERPERSON' } });
    expect([again.status, again.body.error]).toEqual([409, 'coupon_invalid']);
    expect((await shop.call('GET', `/api/coupons/${coupon.id}`)).body).toMatchObject({ redeemed: 1 });
    const somebody = { as: memberToken('unused'), body: { coupon_code: 'PERPERSON' } };
    expect((await shop.buy(['looms'], somebody)).status).toBe(201);
    // No address stands in the log, but where it is encrypted for its person.
    const { commits } = await shop.log.load('school_1', [first.body.id]);
    const names = commits.flatMap(({ events }) => events.map(({ stream }) => stream));
    expect(names.filter((stream) => stream.startsWith('redeemer_')).length).toBeGreaterThan(1);
    expect(names.join()).not.toContain('joined');
  });
});

describe('free orders of one address', () => {
  const free = async (own: Selling, email: string) => {
    const { status, body } = await own.buy(['gift'], guest(email));
    expect([status, body.order.status]).toEqual([201, 'paid']);
    await own.orderOnce(body.id, ({ buyer }) => buyer.member_id !== null);
    return body;
  };

  test('have one person invited a day, and are answered alike', async () => {
    const own = await startSelling();
    const [one] = [await free(own, 'Mailed@example.org'), await free(own, 'mailed@example.org')];
    await free(own, 'another@example.org');
    expect(Object.keys(one.order)).toContain('status');
    const [first, second, other] = own.wishes;
    expect([second === first, other === first]).toEqual([true, false]);
    own.clock.advance(24 * 3_600_000);
    await free(own, 'mailed@example.org');
    expect(own.wishes[3]).not.toBe(first);
    await own.close();
  });

  test('and orders that are paid for are invited for one by one', async () => {
    const own = await startSelling();
    for (let times = 0; times < 2; times += 1) {
      const { body } = await own.buy(['lamps'], guest('payer@example.org'));
      await own.drive(body.id, 'succeed');
      await own.orderOnce(body.id, ({ buyer }) => buyer.member_id !== null);
    }
    expect(new Set(own.wishes).size).toBe(2);
    await own.close();
  });
});
