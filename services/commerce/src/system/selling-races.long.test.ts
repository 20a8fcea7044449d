import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeTopologies } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { TwoShops } from '../testing/races/two-shops.ts';

/** Races of each kind. */
const races = Number(process.env['SALE_RACES'] ?? 1);
const [crowd, kills] = [200, 2];
const runs = Array.from({ length: races }, () => kills);

/** What there is less of than people want, of a shared system: two processes more take its checkouts. */
await describeTopologies(
  'two processes that sell',
  ({ open }) => {
    let shops: TwoShops;
    let close: () => Promise<unknown>;
    beforeAll(async () => {
      const opened = await open();
      ({ close } = opened);
      shops = await TwoShops.open(opened.system);
    }, 240_000);
    afterAll(async () => {
      await shops?.close();
      await close?.();
    }, 60_000);

    test.each(runs)(
      `of ${crowd} checkouts at once on a coupon limited to 10 exactly 10 have it, with %s kills meanwhile`,
      async (deaths) => {
        const code = `TEN${randomUUID().slice(0, 8)}`.toUpperCase();
        const { id } = await shops.staff('/coupons', { code, kind: 'percent', value: 10, max_redemptions: 10 });
        const wanted = { course: await shops.offer(), coupon_code: code, over: 'coupon_invalid' } as const;
        const { placed, refused, odd, killedAt } = await shops.race(crowd, wanted, deaths);
        expect([placed.length, refused, odd]).toEqual([10, crowd - 10, []]);
        expect(killedAt.filter((answered) => answered < crowd)).toHaveLength(deaths);
        expect(await shops.staff(`/coupons/${id}`)).toMatchObject({ redeemed: 0, held: 10 });
        await Promise.all(placed.map((order) => shops.pay(order, 1)));
        for (const order of await shops.fulfilled(placed))
          expect(order).toMatchObject({ status: 'paid', payments: [{ state: 'captured' }], refused: [] });
        expect(await shops.staff(`/coupons/${id}`)).toMatchObject({ redeemed: 10, held: 0 });
      },
      400_000,
    );

    test.each(runs)(
      `of ${crowd / 4} orders at once for 5 seats exactly 5 are placed, with %s kills meanwhile`,
      async (deaths) => {
        const course = await shops.offer({ seat_limit: 5 });
        const { placed, refused, odd, killedAt } = await shops.race(crowd / 4, { course, over: 'sold_out' }, deaths);
        expect([placed.length, refused, odd]).toEqual([5, crowd / 4 - 5, []]);
        expect(killedAt.filter((answered) => answered < crowd / 4)).toHaveLength(deaths);
        await Promise.all(placed.map((order) => shops.pay(order, 1)));
        for (const order of await shops.fulfilled(placed))
          expect(order).toMatchObject({ status: 'paid', payments: [{ state: 'captured' }], refused: [] });
        expect(await shops.students(course, 5)).toBe(5);
      },
      400_000,
    );

    test('the orders of both have numbers without a gap', async () => {
      const numbers = await shops.numbers();
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      expect(numbers.length).toBeGreaterThanOrEqual(15 * races);
    });
  },
  'split',
);
