import { type Rejection, isRejection } from '@lyceum/kernel';
import type { OrderCode, OrderCommandOf, PlacedOrder } from '../order.commands.ts';
import type { OrderEvent, PlacedLine } from '../order.events.ts';
import { eventsOfHolding } from '../order.held.ts';
import { paidLine } from '../order.noticed.ts';

const sum = (lines: readonly PlacedLine[], of: 'discount' | 'tax' | 'total'): number =>
  lines.reduce((total, line) => total + line[of], 0);

type Totalled = Pick<PlacedOrder, 'discount_total' | 'tax_total' | 'total'> & { readonly lines: readonly PlacedLine[] };

/** Whether the totals of an order are those of its lines. */
export const addsUp = ({ lines, discount_total, tax_total, total }: Totalled): boolean =>
  total === sum(lines, 'total') &&
  discount_total === sum(lines, 'discount') &&
  tax_total === sum(lines, 'tax') &&
  lines.every((line) => line.total >= 0 && line.discount >= 0 && line.tax >= 0);

/** Whether there is nothing to an order but what is given: a plan is given by a subscription of its own. */
const isGift = ({ order, payment }: OrderCommandOf<'PlaceOrder'>): boolean =>
  order.total === 0 && payment === null && order.coupon === null && order.subscription_id === null;

/** Places an order with what is held for it; with no payment it is paid at once. */
export function place(command: OrderCommandOf<'PlaceOrder'>): readonly OrderEvent[] | Rejection<OrderCode> {
  const { order, payment, numbering: last, held, now } = command;
  if (!addsUp(order)) throw new Error('the totals of an order are not those of its lines');
  if (order.source === 'comp' && !isGift(command)) throw new Error('a gift has a payment, a coupon or a subscription');
  const { total, currency, lines, discount_total } = order;
  const by = { order_id: command.id, member_id: order.buyer.member_id, discount_total, currency };
  const { hold = order.holds_until } = command;
  const beside = eventsOfHolding(held, { by, hold, take: payment === null, now });
  if (isRejection(beside)) return beside;
  const placed: OrderEvent = { type: 'OrderPlaced', data: { ...order, number: last + 1 } };
  if (payment) return [placed, { type: 'PaymentStarted', data: { ...payment, amount: total } }];
  if (total > 0) throw new Error('an order that costs something has a payment');
  const { member_id } = order.buyer;
  const nothing = { payment_id: null, provider: 'none', event_id: '', amount: 0, currency, paid_at: now, member_id };
  return [placed, { type: 'OrderPaid', data: { ...nothing, lines: lines.map(paidLine) } }];
}
