import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryMail } from '@lyceum/mail';
import { until } from '@lyceum/testkit';
import { type Engines, enginesOf } from '@lyceum/testkit-service';
import { commerce } from '../module.ts';
import type { ProviderName } from '../payments/payment-provider.ts';
import { type Memberships, startMemberships } from '../testing/memberships.ts';
import { memberToken } from '../testing/selling.ts';

const day = 86_400_000;
const yearly = { kind: 'recurring', interval: 'year', name: 'The whole loft', price: { amount: 9_900 } };

/** A shop whose process is started anew whenever the test says so; its log, its clock and what it has sent stay. */
let engines: Engines;
let mail: ReturnType<typeof memoryMail>;
let shop: Memberships;
const startWith = async (provider: ProviderName) => {
  shop = await startMemberships({ engines, ports: { mail }, settings: { PAYMENT_PROVIDERS: [provider] } });
};
beforeEach(() => {
  engines = enginesOf(commerce);
  mail = memoryMail();
});
afterEach(() => shop.close());

/** Subscribes to a plan and pays; gives the subscription. */
async function subscribe(provider: ProviderName, agreement: string, plan: object = yearly): Promise<string> {
  await startWith(provider);
  const { body } = await shop.subscribe(await shop.plan(plan), { as: memberToken('subscriber') });
  const action = provider === 'manual' ? `manual/${body.id}/capture` : `test/${body.id}/succeed`;
  const about = agreement === '' ? {} : { agreement };
  await shop.call('POST', `/internal/payments/${action}`, { body: { school: 'school_1', ...about } });
  const id: string = body.order.subscription_id;
  await shop.subscriptionOnce(id, ({ status }) => status === 'active');
  await mailsOnce(provider === 'manual' ? 2 : 1);
  return id;
}

/** The texts of the mails once there are so many; a moment later, and in a process that is started then, no more. */
async function mailsOnce(count: number): Promise<readonly string[]> {
  await until(
    () => mail.sent.length >= count,
    () => `${count} mails (there are ${mail.sent.length})`,
  );
  await shop.settled();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(mail.sent.map(({ subject }) => subject)).toHaveLength(count);
  return mail.sent.map(({ subject, text }) => `${subject}\n${text}`);
}

async function startAnew(provider: ProviderName): Promise<void> {
  await shop.close();
  await startWith(provider);
}

describe('a subscriber', () => {
  test('is reminded, told of each failed try, and of the end, once each, by a process that is started anew each day', async () => {
    const id = await subscribe('test', 'card_declined');
    engines.clock.advance(345 * day);
    await startAnew('test');
    expect((await mailsOnce(2)).at(-1)).toMatch(
      /will be renewed\n[^]*on January 5, 2027. You will be charged \$99\.00/,
    );
    let sent = 2;
    for (const [days, subject, words] of [
      [
        21,
        'did not go through',
        /\$99\.00 for The whole loft[^]*try again on January 7, 2027[^]*until January 20, 2027/,
      ],
      [1, 'did not go through', /try again on January 9, 2027/],
      [2, 'did not go through', /try again on January 13, 2027/],
      [4, 'did not go through', /try again on January 19, 2027/],
      [6, 'is about to end', /we do not try again[^]*until January 20, 2027/],
    ] as const) {
      engines.clock.advance(days * day);
      await startAnew('test');
      sent += 1;
      const text = (await mailsOnce(sent)).at(-1);
      expect(text?.split('\n')[0]).toContain(subject);
      expect(text).toMatch(words);
      const { dunning } = await shop.subscriptionOnce(id, ({ status }) => status === 'past_due');
      expect(text).toContain(`http://school-1.test/checkout/${dunning?.order_id}`);
    }
    engines.clock.advance(day);
    await startAnew('test');
    expect((await mailsOnce(sent + 1)).at(-1)).toContain('because a payment was due and did not arrive');
    await startAnew('test');
    await mailsOnce(sent + 1);
  }, 120_000);

  test('gets a receipt with an invoice for each period that is paid', async () => {
    const id = await subscribe('test', 'card', { ...yearly, interval: 'month' });
    engines.clock.advance(31 * day);
    await shop.subscriptionOnce(id, ({ period }) => period?.start === '2026-02-05T08:00:00.000Z');
    const [first, second] = await mailsOnce(2);
    for (const each of [first, second]) expect(each).toMatch(/^Your receipt for order/);
    const { data } = (await shop.call('GET', '/api/invoices')).body;
    expect(data.map(({ number }: { number: number }) => number)).toEqual([2, 1]);
    expect(second).toContain('The whole loft: $99.00');
  });

  test.each(['manual', 'test'] as const)(
    'who pays by %s without an agreement to be charged is asked to pay, and not told that something failed',
    async (provider) => {
      const id = await subscribe(provider, '');
      const before = mail.sent.length;
      engines.clock.advance(366 * day);
      const { dunning } = await shop.subscriptionOnce(id, ({ status }) => status === 'past_due');
      const due = (await mailsOnce(before + 1)).at(-1);
      expect(due).toMatch(/^Your payment for The whole loft[^]*\$99\.00 is due[^]*until January 20, 2027/);
      expect(due).not.toMatch(/did not go through|try again/);
      expect(due).toContain(`http://school-1.test/checkout/${dunning?.order_id}`);
    },
  );

  test.each(['manual', 'test'] as const)(
    'who pays by %s without an agreement to be charged is reminded of what will be due, not of a charge',
    async (provider) => {
      await subscribe(provider, '');
      const before = mail.sent.length;
      engines.clock.advance(345 * day);
      const due = (await mailsOnce(before + 1)).at(-1);
      expect(due).toMatch(/will be renewed\n[^]*on January 5, 2027, and \$99\.00 will be due then/);
      expect(due).not.toMatch(/charged \$|charges/);
    },
  );

  test('who asks how to transfer it is told until when it has to arrive for the access to go on', async () => {
    const id = await subscribe('manual', '', { ...yearly, interval: 'month' });
    engines.clock.advance(31 * day);
    const { dunning } = await shop.subscriptionOnce(id, ({ status }) => status === 'past_due');
    await mailsOnce(3);
    await shop.call('POST', `/api/checkout/${dunning?.order_id}/payments`, { as: memberToken('subscriber') });
    expect((await mailsOnce(4)).at(-1)).toMatch(/^How to pay[^]*It has to arrive by February 19, 2026/);
  });
});
