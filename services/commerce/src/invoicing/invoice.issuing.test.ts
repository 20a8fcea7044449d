import { afterEach, describe, expect, test } from '@jest/globals';
import { type EventLog, Unavailable, forwarding } from '@lyceum/eventlog';
import { enginesOf } from '@lyceum/testkit-service';
import { commerce } from '../module.ts';
import { issuedOnce, refundAll } from '../testing/invoicing.ts';
import { paidEvent, placing, times } from '../testing/orders-of-tests.ts';
import { type Selling, memberToken, sellerOfTests, startSelling } from '../testing/selling.ts';

const open: Selling[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});
const start = async (...given: Parameters<typeof startSelling>) => {
  const shop = await startSelling(...given);
  open.push(shop);
  return shop;
};

const numbersOf = (all: readonly { readonly kind: string; readonly number: number }[], kind: string) =>
  all
    .filter((each) => each.kind === kind)
    .map(({ number }) => number)
    .sort((one, other) => one - other);
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);

describe('invoices', () => {
  test('of many who pay at once have numbers without a gap, each school its own', async () => {
    const shop = await start();
    const bought = await Promise.all(
      upTo(30).map((at) =>
        shop.buy(['lamps'], { as: memberToken(`many${at}`), ...(at > 25 ? { school: 'school_2' } : {}) }),
      ),
    );
    await Promise.all(
      bought.map(({ body }, at) => shop.drive(body.id, 'succeed', at >= 25 ? { school: 'school_2' } : {})),
    );
    const [first, second] = [await issuedOnce(shop, 25), await issuedOnce(shop, 5, 'school_2')];
    expect([numbersOf(first, 'invoice'), numbersOf(second, 'invoice')]).toEqual([upTo(25), upTo(5)]);
    expect(new Set(first.map(({ order_id }) => order_id)).size).toBe(25);
    expect(second.every(({ total }) => total.currency === 'JPY' && total.amount === 5_000)).toBe(true);
    for (const { body } of bought.slice(0, 5)) await refundAll(shop, body.id);
    const all = await issuedOnce(shop, 30);
    expect([numbersOf(all, 'invoice'), numbersOf(all, 'credit_note')]).toEqual([upTo(25), upTo(5)]);
  });

  test('wait for the school service, and come once it says who sells', async () => {
    let seller: unknown = undefined;
    const shop = await start({ seller: () => seller });
    const { body } = await shop.buy(['lamps']);
    await shop.drive(body.id, 'succeed');
    const waiting = { ...shop, settled: async () => undefined };
    await expect(issuedOnce(waiting, 1, 'school_1', 1_000)).rejects.toThrow('1 invoices did not come about');
    seller = sellerOfTests;
    expect(await issuedOnce(shop, 1)).toMatchObject([{ number: 1, order_id: body.id }]);
  });

  test('of somebody who is erased before are issued without them', async () => {
    let seller: unknown = undefined;
    const engines = enginesOf(commerce);
    const shop = await start({ engines, seller: () => seller });
    const { body } = await shop.buy(['lamps'], { as: memberToken('gone'), body: { invoice_to: { country: 'PT' } } });
    await shop.drive(body.id, 'succeed');
    await engines.vault.destroy('school_1', 'account_gone');
    seller = sellerOfTests;
    const [invoice] = await issuedOnce(shop, 1);
    expect((await shop.call('GET', `/api/invoices/${invoice?.id}`)).body).toMatchObject({
      number: 1,
      total: { amount: 4_900 },
      buyer: { name: null, country: 'PT' },
    });
  });
});

describe('the documents of a guest who gave no name', () => {
  test('do not tell that of the member whose address they typed', async () => {
    let seller: unknown = undefined;
    const shop = await start({ seller: () => seller });
    const { body } = await shop.buy(['lamps'], { as: 'anonymous', body: { email: 'somebody@example.org' } });
    await shop.drive(body.id, 'succeed');
    const { buyer } = await shop.orderOnce(body.id, (order) => order.buyer.member_id !== null);
    seller = sellerOfTests;
    await issuedOnce(shop, 1);
    await refundAll(shop, body.id);
    const all = await issuedOnce(shop, 2);
    expect(all.map(({ kind }) => kind)).toEqual(['invoice', 'credit_note']);
    for (const { id } of all) {
      const shown = (await shop.call('GET', `/api/invoices/${id}`)).body;
      expect(shown).toMatchObject({ member_id: buyer.member_id, buyer: { name: null } });
      expect(JSON.stringify(shown)).not.toContain('Name of');
    }
  });
});

describe('a refund that fails after all', () => {
  test('is invoiced again, in place of its credit note, and nobody is thanked for it', async () => {
    const shop = await start();
    const { body } = await shop.buy(['lamps'], { as: memberToken('reversed') });
    await shop.drive(body.id, 'succeed');
    await refundAll(shop, body.id);
    await issuedOnce(shop, 2);
    const [{ id: refund_id }] = (await shop.order(body.id)).refunds;
    await shop.drive(body.id, 'fail_refund', { refund_id });
    const all = await issuedOnce(shop, 3);
    const again = all.find(({ of_credit_note }) => of_credit_note !== null);
    expect(again).toMatchObject({
      kind: 'invoice',
      number: 2,
      total: { amount: 4_900 },
      of_credit_note: { number: 1, label: 'CN-000001' },
    });
    const own = await shop.call('GET', `/api/checkout/${body.id}`, { as: memberToken('reversed') });
    expect(own.body.invoices.map(({ label }: { label: string }) => label)).toEqual([
      'INV-000001',
      'CN-000001',
      'INV-000002',
    ]);
    await refundAll(shop, body.id, { amount: 900 });
    expect(numbersOf(await issuedOnce(shop, 4), 'credit_note')).toEqual([1, 2]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(shop.mail.sent.map(({ subject }) => subject.split(' ')[0])).toEqual(['Your', 'Refund', 'Refund']);
  });
});

describe('the invoice of a renewal', () => {
  test('has what the buyer said when they subscribed', async () => {
    const engines = enginesOf(commerce);
    const shop = await start({ engines });
    const subscription = 'subscription_0195a3c2-7d10-7abc-8def-0123456789ab';
    const { body } = await shop.buy(['lamps'], {
      as: memberToken('renews'),
      body: { invoice_to: { company: 'Loom Ltd', country: 'PT' } },
    });
    const { buyer: _, ...order } = placing([100]).order;
    const id = 'order_0195a3c2-7d10-7abc-8def-0123456789ff';
    const member = { id: 'account_renews', member_id: 'account_renews' };
    await engines.write('school_1', [
      {
        stream: subscription,
        type: 'SubscriptionStarted',
        data: {
          member_id: 'account_renews',
          plan_id: 'plan_1',
          plan_version: 1,
          source: 'checkout',
          order_id: body.id,
          terms: {
            plan_id: 'plan_1',
            plan_version: 1,
            kind: 'recurring',
            interval: { unit: 'month', count: 1 },
            price: { amount: 100, currency: 'USD' },
          },
          provider: 'test',
          agreement: null,
          timezone: 'UTC',
          coupon: null,
          trial_end: null,
          period_start: times.placed,
          period_end: times.gone,
          value: 100,
          access: 1,
        },
      },
      {
        stream: id,
        type: 'OrderPlaced',
        data: { ...order, number: 99, source: 'renewal', buyer: member, subscription_id: subscription },
      },
      { ...paidEvent([100], 'account_renews'), stream: id },
    ]);
    const [invoice] = await issuedOnce(shop, 1);
    expect((await shop.call('GET', `/api/invoices/${invoice?.id}`)).body).toMatchObject({
      order_id: id,
      buyer: { name: 'Name of account_renews', company: 'Loom Ltd', country: 'PT' },
    });
  });
});

/** The log of a process that ends with its `last`th invoice: written, where `isWritten`, and never told. */
function mortal(log: EventLog, last: number, isWritten: boolean): EventLog {
  let invoices = 0;
  return forwarding(log, {
    async append(append) {
      if (append.events.some(({ stream }) => stream.startsWith('invoice_'))) invoices += 1;
      if (invoices < last) return log.append(append);
      if (invoices === last && isWritten) await log.append(append);
      invoices = last + 1;
      throw new Unavailable('the process is dead');
    },
  });
}

describe('a process that ends while invoices are issued', () => {
  test.each([
    ['just before it writes', false],
    ['just after it has written', true],
  ])(
    '%s leaves no gap and no number twice',
    async (_, isWritten) => {
      for (const last of [1, 2, 3]) {
        const engines = enginesOf(commerce);
        const first = await start({ engines: { ...engines, log: mortal(engines.log, last, isWritten) } });
        const ids: string[] = [];
        for (const at of upTo(3)) {
          const { body } = await first.buy(['lamps'], { as: memberToken(`crash${at}`) });
          if (body.id) ids.push(body.id);
        }
        for (const id of ids) await first.drive(id, 'succeed');
        await new Promise((resolve) => setTimeout(resolve, 100));
        await first.close();
        open.pop();
        const second = await start({ engines });
        const paid = [];
        for (const id of ids) if ((await second.order(id)).status === 'paid') paid.push(id);
        const all = await issuedOnce(second, paid.length);
        expect(numbersOf(all, 'invoice')).toEqual(upTo(paid.length));
        expect(all.map(({ order_id }) => order_id).sort()).toEqual(paid.sort());
        await second.close();
        open.pop();
      }
    },
    120_000,
  );
});
