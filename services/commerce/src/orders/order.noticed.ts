import type { OrderCommandOf } from './order.commands.ts';
import type { OrderEvent, PlacedLine } from './order.events.ts';
import type { Order, Payment } from './order.state.ts';

/** What a provider says, with the payment that it is about. */
export type Noticed = OrderCommandOf<'TakeNotice'> & { readonly payment: Payment };

/** Refused notices that are kept with an order: who can say more has the provider's secret. */
const mostRefused = 50;

/** That nothing follows from a notice, and why. */
export function refuse({ notice }: Pick<Noticed, 'notice'>, state: Order, reason: string): readonly OrderEvent[] {
  const { event_id, kind, payment_id, amount, currency } = notice;
  if (state.refused.length >= mostRefused || state.refused.some((each) => each.event_id === event_id)) return [];
  return [{ type: 'NoticeRefused', data: { event_id, kind, payment_id, amount, currency, reason } }];
}

/** The subscription that an order is for, as the events say it from which something follows for it. */
export const ofSubscription = ({ subscription_id }: Pick<Order, 'subscription_id'>) =>
  subscription_id === null ? {} : { subscription_id };

/** What of a line stands in what was paid. */
export const paidLine = ({ line_id, item_type, item_id, total, tax }: PlacedLine) => ({
  line_id,
  item_type,
  item_id,
  total,
  tax,
});
