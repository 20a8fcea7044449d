import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { disagreements, ordersOf, usesOf } from '../testing/kills/books-agree.ts';
import { Buyers, type Kind, type Offer, type Scarce, offerScarce, offerSomething } from '../testing/kills/buyers.ts';
import type { Death } from '../testing/kills/selling-process.ts';
import { SellingSystem } from '../testing/kills/selling-system.ts';

/** Kills at each step, before and after it in turn, one of both at the next; npm run crash:commerce does 100. */
const kills = Number(process.env['SALE_KILLS'] ?? 1);

const usual = 'placed, with|is paid$|takes note|invites|gives access|pays back$|not taken$|is over$';
/** The steps that are gone through: those whose titles it fits. npm run crash:commerce goes through all. */
const wanted = new RegExp(process.env['SALE_STEPS'] ?? usual);
/** Races for a coupon, and as many for seats, each with two kills. */
const races = Number(process.env['SALE_RACES'] ?? 1);

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

/** `kill`: the number of this one, from 0. The first comes before the moment, the second after it. */
const deathAt = (moment: Moment, kill: number, passages: number): Death => {
  const when = kill % 2 === 0 ? 'before' : 'after';
  const passage = 1 + (Math.floor(kill / 2) % passages);
  return moment instanceof RegExp
    ? { asked: moment, when, passage }
    : { service: moment[0], event: moment[1], when, passage };
};

/** Many kills make long logs, which each start reads: then each step has a system of its own, and so have the races. */
const apart = kills > 10;
const chosen = steps.filter(([title]) => wanted.test(title));
const scenes: readonly (readonly [title: string, steps: typeof steps, races: number])[] = apart
  ? [...chosen.map((step) => [step[0], [step], 0] as const), ...(races > 0 ? [['races', [], races] as const] : [])]
  : [['all steps', chosen, races]];

describe.each(scenes)('kill -9 of the system that sells: %s', (_, chosen, races) => {
  let system: SellingSystem;
  let buyers: Buyers;
  let before: ReadonlySet<string>;
  let offer: Offer;
  let scarce: Awaited<ReturnType<typeof offerScarce>>;
  beforeAll(async () => {
    system = await SellingSystem.open();
    await system.live();
    offer = await offerSomething(system);
    buyers = new Buyers(system, offer);
    scarce = await offerScarce(system, races);
    before = new Set((await ordersOf(system)).map(({ id }) => id));
    await system.kill();
  }, 300_000);
  afterAll(() => system.close(), 60_000);

  if (chosen.length > 0)
    test.each(chosen)(
      `${kills} kills around: %s`,
      async (title, kind, moment, { later = false } = {}) => {
        const turn = steps.findIndex(([each]) => each === title);
        for (let kill = 0; kill < kills; kill += 1) {
          if (later) {
            await system.live();
            buyers.begin(kind);
            buyers.begin(kind);
            await buyers.placed();
            await system.kill();
            system.advance(31 * minute);
          } else for (let people = 0; people < 3; people += 1) buyers.begin(kind);
          await system.live(deathAt(moment, turn + kill, Array.isArray(moment) && moment[1] === 'process/' ? 9 : 2));
        }
        expect(system.faults).toEqual([]);
      },
      120_000 + kills * 60_000,
    );

  /** So many want it at once; the process dies twice at one of the first, and lives the third time. */
  async function race(people: number, scarcity: Scarce, event: string): Promise<readonly number[]> {
    for (let person = 0; person < people; person += 1) buyers.begin('keep', scarcity);
    for (const when of ['before', 'after'] as const)
      await system.live({ service: 'commerce', event, when, passage: 2 });
    await system.live();
    await buyers.placed();
    await system.kill();
    const had = buyers.bought.filter(({ scarce: of }) => of === scarcity);
    return [had.length, buyers.refused.filter((of) => of === scarcity).length];
  }

  if (races > 0) {
    test(
      `200 checkouts at once on a coupon limited to 10: exactly 10 have it, with ${races * 2} kills meanwhile`,
      async () => {
        for (const { code: coupon_code } of scarce) {
          const ten = { course: offer.course, coupon_code, over: 'coupon_invalid' } as const;
          expect(await race(200, ten, 'CouponHeld')).toEqual([10, 190]);
        }
        expect(system.faults).toEqual([]);
      },
      120_000 + races * 60_000,
    );

    test(
      `50 orders at once for 5 seats: exactly 5 are placed, with ${races * 2} kills meanwhile`,
      async () => {
        for (const { seats: course } of scarce)
          expect(await race(50, { course, over: 'sold_out' }, 'SeatHeld')).toEqual([5, 45]);
        expect(system.faults).toEqual([]);
      },
      120_000 + races * 60_000,
    );
  }

  test(
    'money and access agree: one payment for an order, each paid order fulfilled, all else given back, numbers without a gap',
    async () => {
      system.advance(31 * minute);
      await system.live();
      expect(await buyers.waiting(120_000 + (kills + races) * 2_000)).toEqual([]);
      await system.heard();
      await system.kill();
      system.back();
      await system.live();
      expect(await disagreements(system, buyers.bought, before)).toEqual([]);
      expect(system.faults).toEqual([]);
      for (const { coupon } of scarce) expect(await usesOf(system, coupon)).toEqual({ redeemed: 10, held: 0 });
      expect(buyers.bought.length).toBeGreaterThan(chosen.length * kills);
    },
    300_000 + (kills + races) * 30_000,
  );

  test('of cards, of which the provider told all, stands nothing in any file, mail or log', async () => {
    await system.kill();
    expect(await system.cardData()).toEqual([]);
  });
});
