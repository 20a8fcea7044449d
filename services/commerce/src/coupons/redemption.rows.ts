import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { couponEvents } from './coupon.events.ts';

/** The read model behind lists of what coupons took off: an order has one coupon at most. */
export const redemptions: Collection = {
  name: 'coupon_redemptions',
  version: 1,
  fields: { coupon_id: 'text', member_id: 'text', created_at: 'text' },
};

/** A redemption in the read model. */
interface RedemptionRow {
  readonly coupon_id: string;
  readonly order_id: string;
  readonly member_id: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly created_at: string;
}

/** The redemption of a row. */
export const redemptionOf = (row: Document): RedemptionRow => rowAs<RedemptionRow>(row);

/** One row for each redemption. Of an erased member it is forgotten that it was them. */
export const redemptionProjection: Projection = {
  collection: redemptions,
  key: ({ type, data }) => (type === 'CouponRedeemed' ? (data as { readonly order_id: string }).order_id : undefined),
  project(recorded): Document | null {
    const event = upcast(couponEvents, recorded);
    if (event.type !== 'CouponRedeemed') return null;
    return { ...event.data, coupon_id: recorded.stream, created_at: recorded.at };
  },
  erase: { documents: { field: 'member_id' }, forget: (body) => ({ ...body, member_id: null }) },
};
