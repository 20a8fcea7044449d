import { heads, paramsOf } from '@lyceum/service';
import { filterConditions, listFilters, listOf, listReply, operation, orderOf } from '@lyceum/web';
import { z } from 'zod';
import { coupons } from './coupon.http.ts';
import { redemptionOf, redemptions } from './redemption.rows.ts';

const redemptionReply = z
  .object({
    id: z.string().meta({ description: 'That of the order.', example: 'order_0195a3c2-7d10-7abc-8def-0123456789ab' }),
    object: z.literal('coupon_redemption'),
    coupon_id: z.string(),
    order_id: z.string(),
    member_id: z.string().nullable().meta({ description: 'null = the buyer was no member yet, or was erased.' }),
    amount: z.int().meta({ description: 'What it took off, in minor units.' }),
    currency: z.string().meta({ description: 'ISO 4217.', example: 'USD' }),
    created_at: z.iso.datetime(),
    view: z.enum(['anonymous', 'member', 'staff']),
  })
  .meta({ id: 'CouponRedemption', description: 'An order that is paid, and that a coupon made cheaper.' });

const { updated_after: _never, ...filters } = listFilters;

/** Lists the orders that a coupon was redeemed by. */
export const listRedemptions = operation({
  id: 'listCouponRedemptions',
  method: 'GET',
  path: '/api/coupons/{coupon}/redemptions',
  area: 'coupons',
  scope: 'coupons:read',
  anonymous: true,
  roles: heads,
  summary: 'List the redemptions of a coupon',
  description:
    'Orders that are paid, newest first; what is refunded stays. Follows payments with a short delay: see Consistency-Token.',
  params: paramsOf('coupon', false),
  query: z.strictObject(filters),
  readModel: redemptions,
  status: 200,
  reply: listOf(redemptionReply),
  errors: ['not_found'],
  async handle(call, ports) {
    const { id } = await coupons.load(call, call.params['coupon'] ?? '', ports);
    const sort = orderOf(call.query);
    const where = [{ field: 'coupon_id', is: id }, ...filterConditions(call.query)];
    const page = await ports.documents.query(redemptions, call.school, { where, sort, ...call.page });
    const shown = ({ id: order, body }: (typeof page)['items'][number]) => ({
      ...redemptionOf(body),
      id: order,
      object: 'coupon_redemption',
      view: call.view,
    });
    return listReply(page, shown, sort);
  },
});
