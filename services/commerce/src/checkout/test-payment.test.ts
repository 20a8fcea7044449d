import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startMemberships } from '../testing/memberships.ts';
import { type Selling, memberToken, startSelling } from '../testing/selling.ts';

let shop: Selling;
beforeAll(async () => void (shop = await startSelling()));
afterAll(() => shop.close());

const guest = { as: 'anonymous', body: { email: 'ada@example.org' } } as const;

const ask = (order: string, outcome: string, from: Selling = shop, school = 'school_1') =>
  from.started.answer?.({ kind: 'test_payment', school, order, outcome });

describe('the buttons of the page of an order', () => {
  test('let a test payment succeed, once', async () => {
    const { body } = await shop.buy(['lamps'], guest);
    expect(await ask(body.id, 'captured')).toEqual({ done: true });
    expect((await shop.order(body.id)).status).toBe('paid');
    expect(await ask(body.id, 'captured')).toEqual({ done: false });
    expect(await ask(body.id, 'failed')).toEqual({ done: false });
    expect(await shop.order(body.id)).toMatchObject({ status: 'paid', refused: [] });
  });

  test('let it fail, and the next one succeed', async () => {
    const { body } = await shop.buy(['lamps'], guest);
    expect(await ask(body.id, 'failed')).toEqual({ done: true });
    expect((await shop.order(body.id)).status).toBe('failed');
    expect(await ask(body.id, 'captured')).toEqual({ done: false });
    const headers = { 'order-secret': body.order_secret };
    await shop.call('POST', `/api/checkout/${body.id}/payments`, { as: 'anonymous', headers });
    expect(await ask(body.id, 'captured')).toEqual({ done: true });
  });

  test.each([
    ['begins at once', 0],
    ['begins with a trial', 14],
  ])('save the agreement by which a plan that %s is renewed', async (_how, trial_days) => {
    const members = await startMemberships();
    try {
      const { body } = await members.subscribe(await members.plan({ trial_days }));
      expect(await ask(body.id, 'failed', members)).toEqual({ done: true });
      await members.call('POST', `/api/checkout/${body.id}/payments`, { as: memberToken() });
      expect(await ask(body.id, 'captured', members)).toEqual({ done: true });
      const live = await members.subscriptionOnce(body.order.subscription_id, ({ status }) => status !== 'incomplete');
      const agreement = `test_agreement_${body.payment.id.replace(/1$/, '2')}`;
      expect(live).toMatchObject({ status: trial_days > 0 ? 'trialing' : 'active', provider: 'test', agreement });
    } finally {
      await members.close();
    }
  });

  test('do nothing to an order of another school, to none, and to anything else', async () => {
    const { body } = await shop.buy(['lamps'], guest);
    expect(await ask(body.id, 'captured', shop, 'school_2')).toEqual({ done: false });
    expect(await ask(`order_${randomUUID()}`, 'captured')).toEqual({ done: false });
    await expect(ask(body.id, 'refunded')).rejects.toThrow();
    await expect(ask('school', 'captured')).rejects.toThrow();
    expect((await shop.order(body.id)).status).toBe('pending');
  });

  test('do nothing where the installation has no test provider', async () => {
    const manual = await startSelling({ settings: { PAYMENT_PROVIDERS: ['manual'] } });
    try {
      const { body } = await manual.buy(['lamps'], guest);
      expect(await ask(body.id, 'captured', manual)).toEqual({ done: false });
      expect((await manual.order(body.id)).status).toBe('pending');
    } finally {
      await manual.close();
    }
  });
});
