import { type SideEvent, isRejection } from '@lyceum/kernel';
import { redeemerEvents } from '../../coupons/uses/redeemer.events.ts';
import type { OrderCommand, OrderCommandOf } from '../order.commands.ts';
import { type Holding, eventsOfHolding } from '../order.held.ts';
import { numberingEvents, numberingStream } from '../order.numbers.ts';
import { isGuests } from './order.paying.ts';
import { type Order, type OrderState, isBought } from '../order.state.ts';

/** Lines that were taken back now, and all of an order that is canceled now. */
function released(before: OrderState, after: Order): readonly string[] {
  const isCanceled = after.status === 'canceled' && before?.status !== 'canceled';
  return after.lines
    .filter(({ line_id, revoked }) => {
      const was = before?.lines.find((each) => each.line_id === line_id);
      return isCanceled || (revoked && was?.revoked !== true);
    })
    .map(({ line_id }) => line_id);
}

/** Lines that were taken back, and are not any more. */
const restored = (before: OrderState, { lines }: Order): readonly string[] =>
  lines
    .filter(({ line_id, revoked }) => {
      const was = before?.lines.find((each) => each.line_id === line_id);
      return !revoked && was?.revoked === true;
    })
    .map(({ line_id }) => line_id);

/** Until when things are held for it from now on; undefined = as before. Another payment of a guest holds nothing longer. */
function holdOf(before: OrderState, after: Order, command: OrderCommand): string | undefined {
  if (command.type === 'PlaceOrder') return command.hold ?? after.holds_until;
  if (command.type === 'StartPayment' && isGuests(after)) return undefined;
  return after.holds_until === before?.holds_until ? undefined : after.holds_until;
}

/** What an order leaves in the streams of the numbers, seats and coupon, in its own commit. */
export function sideEvents(before: OrderState, after: OrderState, command: OrderCommand): readonly SideEvent[] {
  if (after && command.type === 'AttachBuyer') return counted(before, after, command);
  if (!after || !('held' in command)) return [];
  const { buyer, discount_total, currency, status } = after;
  const order_id = command.type === 'PlaceOrder' ? command.id : command.order_id;
  const hold = holdOf(before, after, command);
  const holding: Holding = {
    by: { order_id, member_id: buyer.member_id, discount_total, currency },
    ...(hold === undefined ? {} : { hold }),
    take: isBought(after) && !(before && isBought(before)),
    retake: restored(before, after),
    release: released(before, after),
    cancel: status === 'canceled' && before?.status !== 'canceled',
    now: 'now' in command ? command.now : after.updated_at,
  };
  const beside = eventsOfHolding(command.held, holding);
  if (isRejection(beside)) throw new Error(`what was decided cannot be done: ${beside.reason}`);
  return command.type === 'PlaceOrder' ? [numbered(command, after), ...beside, ...(command.beside ?? [])] : beside;
}

const numbered = ({ id }: Extract<OrderCommand, { type: 'PlaceOrder' }>, { number }: Order): SideEvent => ({
  stream: numberingStream,
  type: 'OrderNumbered',
  schema: numberingEvents.OrderNumbered.version,
  data: { order_id: id, number },
});

/** What a guest has used of a coupon counts for the member, too, who the guest is. */
function counted(
  before: OrderState,
  { coupon, buyer }: Order,
  { counts }: OrderCommandOf<'AttachBuyer'>,
): readonly SideEvent[] {
  if (!counts || !coupon || buyer.member_id === before?.buyer.member_id) return [];
  const { order_id, stream } = counts;
  const event = { type: 'CouponUseRedeemed', data: { coupon_id: coupon.coupon_id, order_id } } as const;
  return [{ ...event, stream, schema: redeemerEvents.CouponUseRedeemed.version }];
}
