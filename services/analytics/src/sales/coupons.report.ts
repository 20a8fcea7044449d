import { z } from 'zod';
import { byCurrency, count, currencyColumn, dateColumn, periodColumns } from '../answers/columns.ts';
import { report } from '../answers/report.ts';
import { intervals } from '../calendar/calendar.ts';
import { figure } from '../figures/figures.ts';
import { DailyFigures } from '../figures/series.ts';
import { couponsOf } from './sale.fold.ts';
import { sales } from './sale.rows.ts';

const row = z.object({
  ...periodColumns,
  coupon_id: z.string().nullable().meta({ description: 'null = of all coupons.' }),
  ...currencyColumn,
  redemptions: count,
  discount: count.meta({ description: 'What was taken off.' }),
  gross: count.meta({ description: 'What orders with a coupon brought, without the tax.' }),
  refunds: count.meta({ description: 'What of these was paid back on these days, without the tax.' }),
  net: count.meta({ description: '`gross` less `refunds`.' }),
});

const extra = {
  coupon_id: z
    .string()
    .regex(/^coupon_[0-9a-f-]{36}$/)
    .optional()
    .meta({ description: 'Of this coupon only.', example: 'coupon_0195a3c2-7d10-7abc-8def-0123456789ab' }),
};

/** What coupons brought. */
export const couponReport = report<typeof extra>({
  name: 'coupons',
  id: 'readCouponUse',
  summary: 'Read what coupons brought',
  description:
    'How often coupons were redeemed, what they took off, and what the orders with them brought. A coupon stays redeemed when its order is paid back.',
  source: 'commerce',
  collection: sales,
  isForHeads: true,
  isOfCourses: false,
  divided: intervals,
  extra,
  row,
  async rows(asked) {
    const { coupon_id = null } = asked.query;
    const daily = await DailyFigures.read(asked, couponsOf(coupon_id ?? ''), asked);
    const found = asked.periods.map((period) => ({ period, all: daily.in(period) }));
    return Array.from(byCurrency(found, asked), ({ each: { period }, currency, of }) => {
      const [gross, refunds] = [figure(of, 'gross'), figure(of, 'refunds')];
      const [redemptions, discount] = [figure(of, 'redemptions'), figure(of, 'discount')];
      const brought = { redemptions, discount, gross, refunds, net: gross - refunds };
      return { ...dateColumn(period), coupon_id, currency, ...brought };
    });
  },
});
