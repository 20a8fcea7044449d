import { afterEach, describe, expect, test } from '@jest/globals';
import type { Message } from '@lyceum/mail';
import { until } from '@lyceum/testkit';
import { enginesOf } from '@lyceum/testkit-service';
import { commerce } from '../module.ts';
import { issuedOnce, refundAll } from '../testing/invoicing.ts';
import { type Selling, addressOf, memberToken, sellerOfTests, startSelling } from '../testing/selling.ts';

const open: Selling[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});
const start = async (...given: Parameters<typeof startSelling>) => {
  const shop = await startSelling(...given);
  open.push(shop);
  return shop;
};

/** The mails that were sent, once there are so many; a moment later no more are allowed. */
async function sentOnce({ mail }: Pick<Selling, 'mail'>, count: number): Promise<readonly Message[]> {
  await until(
    () => mail.sent.length >= count,
    () => `${count} mails (there are ${mail.sent.length})`,
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(mail.sent.map(({ subject, to }) => `${subject} ${to}`)).toHaveLength(count);
  return mail.sent;
}

const guest = { email: 'ada@example.org', name: 'Ada' };

describe('who buys gets', () => {
  test('a receipt with a link to the invoice, in the language of the account', async () => {
    const shop = await start();
    const { body } = await shop.buy(['lamps', 'looms'], { as: memberToken('buyer_de') });
    await shop.drive(body.id, 'succeed');
    const [mail] = await sentOnce(shop, 1);
    expect(mail).toMatchObject({
      to: addressOf('account_buyer_de'),
      from: 'Test School',
      subject: 'Ihre Quittung für Bestellung 1 bei Test School',
      html: expect.stringContaining('<html lang="de">'),
      asked: '2026-01-05T08:00:00.000Z',
    });
    expect(mail?.text).toMatch(
      /82,33\s\$ am 5\. Januar 2026[^]*The lamps: 49,00\s\$\nThe looms: 33,33\s\$\nGesamt: 82,33/,
    );
    const [, path = ''] = /http:\/\/school-1\.test(\/invoices\/\S+)/.exec(mail?.text ?? '') ?? [];
    const shared = await shop.call('GET', path, { as: 'anonymous' });
    expect(shared.body).toMatchObject({ number: 1, order_id: body.id });
  });

  test('a receipt for what is free, too, without an invoice', async () => {
    const shop = await start();
    await shop.buy(['gift'], { as: 'anonymous', body: { ...guest, language: 'pt-BR' } });
    const [mail] = await sentOnce(shop, 1);
    expect(mail).toMatchObject({ to: 'ada@example.org', subject: 'O seu pedido 1 em Test School' });
    expect(mail?.text).not.toContain('/invoices/');
    await shop.settled();
    expect((await shop.call('GET', '/api/invoices')).body.data).toEqual([]);
  });

  test('a mail for each refund, with its credit note', async () => {
    const shop = await start();
    const { body } = await shop.buy(['lamps'], { as: 'anonymous', body: guest });
    await shop.drive(body.id, 'succeed');
    await refundAll(shop, body.id, { amount: 1_000 });
    await refundAll(shop, body.id);
    await issuedOnce(shop, 3);
    const all = await sentOnce(shop, 3);
    expect(all.map(({ to, text }) => [to, /\$[\d.]+/.exec(text)?.[0]])).toEqual([
      ['ada@example.org', '$49.00'],
      ['ada@example.org', '$10.00'],
      ['ada@example.org', '$39.00'],
    ]);
  });

  test('how to pay by a bank transfer: the amount, the reference, the account and the time', async () => {
    const shop = await start({ settings: { PAYMENT_PROVIDERS: ['manual'] } });
    const { body } = await shop.buy(['lamps'], { as: 'anonymous', body: guest });
    const [mail] = await sentOnce(shop, 1);
    expect(mail?.subject).toBe('How to pay order 1 at Test School');
    for (const each of ['$49.00', `Reference: ${body.payment.reference}`, 'Rua 1\nNIF 123', 'January 12, 2026'])
      expect(mail?.text).toContain(each);
  });

  test('to which account a bank transfer goes, where the operator says it', async () => {
    const MANUAL_PAYMENT_INSTRUCTIONS = 'To the school of lamps\nAccount 1234';
    const shop = await start({ settings: { PAYMENT_PROVIDERS: ['manual'], MANUAL_PAYMENT_INSTRUCTIONS } });
    await shop.buy(['lamps'], { as: 'anonymous', body: guest });
    const [mail] = await sentOnce(shop, 1);
    expect(mail?.text).toContain(MANUAL_PAYMENT_INSTRUCTIONS);
    expect(mail?.text).not.toContain('NIF 123');
  });

  test('word when a payment fails, with a link to pay again', async () => {
    const shop = await start();
    const { body } = await shop.buy(['lamps'], { as: memberToken('poor') });
    await shop.drive(body.id, 'fail');
    const [mail] = await sentOnce(shop, 1);
    expect(mail?.subject).toContain('did not go through');
    expect(mail?.text).toContain(`http://school-1.test/checkout/${body.id}`);
  });
});

describe('mails', () => {
  test('go out once, also when the process starts over, and wait for who sells and for the mail server', async () => {
    const engines = enginesOf(commerce);
    let seller: unknown = undefined;
    const first = await start({ engines, seller: () => seller });
    const { body } = await first.buy(['gift'], { as: memberToken('once') });
    expect(body.order.status).toBe('paid');
    await sentOnce(first, 0);
    await first.close();
    open.pop();
    seller = sellerOfTests;
    const second = await start({ engines, seller: () => seller });
    second.mail.failNext(1);
    await until(async () => {
      engines.clock.advance(60_000);
      await new Promise((resolve) => setTimeout(resolve, 300));
      return second.mail.sent.length > 0;
    }, 'the mail');
    await sentOnce(second, 1);
    await second.close();
    open.pop();
    const third = await start({ engines });
    engines.clock.advance(60_000);
    await sentOnce(third, 0);
  });

  test('name nobody in the log: a guest who is erased gets none, and their address is nowhere', async () => {
    let seller: unknown = undefined;
    const engines = enginesOf(commerce);
    // Nor is the guest found to be a member, who would be written to instead.
    const school = () => {
      throw new Error('the school service is away');
    };
    const shop = await start({ engines, school, seller: () => seller });
    const { body } = await shop.buy(['gift'], { as: 'anonymous', body: guest });
    await sentOnce(shop, 0);
    const { commits } = await engines.log.load('school_1', []);
    expect(
      JSON.stringify(commits.flatMap(({ events }) => events.filter(({ type }) => type !== 'OrderPlaced'))),
    ).not.toContain('ada@');
    await engines.vault.destroy('school_1', body.id.replace('order_', 'buyer_'));
    seller = sellerOfTests;
    engines.clock.advance(60_000);
    await sentOnce(shop, 0);
  });
});
