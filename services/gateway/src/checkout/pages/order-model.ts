import type { Checkout, SoldItem } from '../asking/shop.ts';
import type { Complaint, Telling } from '../texts/checkout-texts.ts';
import type { PageFrame } from './markup.ts';

/** What the buyer of an order is shown. */
export interface OrderModel extends PageFrame {
  readonly checkout: Checkout;
  /** What the lines are about, as far as it can be read now. */
  readonly items: readonly SoldItem[];
  readonly isMember: boolean;
  readonly problem: Complaint | undefined;
  /** The tag of the forms about this order. */
  readonly csrf: string;
}

/** How an order is told. */
export function tellingOf({ order, payment }: Pick<Checkout, 'order' | 'payment'>): Telling {
  const { status, total, lines } = order;
  const isFree = total.amount === 0;
  switch (status) {
    case 'pending':
      if (payment?.state === 'processing') return 'processing';
      if (isFree) return 'agreeing';
      return payment?.provider === 'manual' ? 'transfer' : 'pending';
    case 'paid':
      if (!isFree) return 'paid';
      return lines.some(({ item_type }) => item_type === 'membership_plan') ? 'subscribed' : 'free';
    case 'failed':
    case 'expired':
    case 'canceled':
    case 'refunded':
    case 'partially_refunded':
    case 'disputed':
    case 'charged_back':
      return status;
    default:
      return 'pending';
  }
}
