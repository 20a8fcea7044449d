import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { disagreements, ordersOf } from '../testing/kills/books-agree.ts';
import { Buyers, type Kind, offerSomething } from '../testing/kills/buyers.ts';
import { type Death, SellingSystem } from '../testing/kills/selling-system.ts';

/** Kills at each step, before and after it in turn; npm run crash:commerce does 100. */
const kills = Number(process.env['SALE_KILLS'] ?? 2);

const minute = 60_000;

/** A moment of the process: a commit of a service, or a request to Stripe. */
type Moment = readonly [service: 'commerce' | 'learning' | 'school', event: string] | RegExp;

/** What happens on the way from a cart to the access and back, step by step, and who makes it happen. */
const steps: readonly (readonly [title: string, kind: Kind, moment: Moment, more?: { readonly later?: boolean }])[] = [
  ['an order is placed, with its number', 'keep', ['commerce', 'OrderPlaced']],
  ['the provider opens the payment', 'keep', /^POST \/v1\/checkout\/sessions$/],
  ['it is recorded that the payment is open', 'keep', ['commerce', 'PaymentOpened']],
  ['the provider’s notice is taken in: the order is paid', 'keep', ['commerce', 'OrderPaid']],
  ['an order that costs nothing is placed and paid', 'free', ['commerce', 'OrderPaid']],
  ['the process of the order takes note, and plans what follows', 'keep', ['commerce', 'process/']],
  ['the school service invites the buyer', 'keep', ['school', 'MemberInvited']],
  ['the buyer is attached, and the order is fulfillable', 'keep', ['commerce', 'OrderBuyerAttached']],
  ['the learning service gives access', 'keep', ['learning', 'AccessGranted']],
  ['the order is fulfilled', 'keep', ['commerce', 'OrderFulfilled']],
  ['an invoice is issued', 'keep', ['commerce', 'InvoiceIssued']],
  ['a refund is asked for', 'refund', ['commerce', 'RefundRequested']],
  ['the provider pays back', 'hasty refund', /^POST \/v1\/refunds$/],
  ['it is recorded that it was paid back', 'refund', ['commerce', 'OrderRefunded']],
  ['the learning service takes access back', 'refund', ['learning', 'AccessRevoked']],
  ['an order is canceled', 'cancel', ['commerce', 'OrderCanceled']],
  ['the provider takes no money any more', 'cancel', /^POST \/v1\/checkout\/sessions\/\w+\/expire$/],
  ['money that comes too late is not taken', 'late', ['commerce', 'LatePaymentReturned']],
  ['the provider pays back what came too late', 'late', /^POST \/v1\/refunds$/],
  ['it is recorded that it went back', 'late', ['commerce', 'PaymentReturned']],
  ['the time to pay is over', 'abandon', ['commerce', 'OrderExpired'], { later: true }],
  ['the provider is asked before an order expires', 'abandon', /^GET \/v1\/checkout\/sessions\/\w+$/, { later: true }],
];

const deathAt = (moment: Moment, kill: number, passages: number): Death => {
  const when = kill % 2 === 0 ? 'before' : 'after';
  const passage = 1 + (Math.floor(kill / 2) % passages);
  return moment instanceof RegExp
    ? { asked: moment, when, passage }
    : { service: moment[0], event: moment[1], when, passage };
};

describe('kill -9 of the system that sells', () => {
  let system: SellingSystem;
  let buyers: Buyers;
  let before: ReadonlySet<string>;
  beforeAll(async () => {
    system = await SellingSystem.open();
    await system.live();
    buyers = new Buyers(system, await offerSomething(system));
    before = new Set((await ordersOf(system)).map(({ id }) => id));
    await system.kill();
  }, 300_000);
  afterAll(() => system.close(), 60_000);

  test.each(steps)(
    `${kills} kills around: %s`,
    async (_, kind, moment, { later = false } = {}) => {
      for (let kill = 0; kill < kills; kill += 1) {
        if (later) {
          await system.live();
          buyers.begin(kind);
          buyers.begin(kind);
          await buyers.placed();
          await system.kill();
          system.advance(31 * minute);
        } else for (let people = 0; people < 3; people += 1) buyers.begin(kind);
        await system.live(deathAt(moment, kill, Array.isArray(moment) && moment[1] === 'process/' ? 9 : 2));
      }
      expect(system.faults).toEqual([]);
    },
    120_000 + kills * 60_000,
  );

  test(
    'money and access agree: one payment for an order, each paid order fulfilled, all else given back, numbers without a gap',
    async () => {
      system.advance(31 * minute);
      await system.live();
      expect(await buyers.waiting(120_000 + kills * 2_000)).toEqual([]);
      await system.heard();
      await system.kill();
      system.back();
      await system.live();
      expect(await disagreements(system, buyers.bought, before)).toEqual([]);
      expect(system.faults).toEqual([]);
      expect(buyers.bought.length).toBeGreaterThan(steps.length * kills);
    },
    300_000 + kills * 30_000,
  );

  test('of cards, of which the provider told all, stands nothing in any file, mail or log', async () => {
    await system.kill();
    expect(await system.cardData()).toEqual([]);
  });
});
