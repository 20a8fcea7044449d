import { type Executed, execute, fold } from '@lyceum/eventlog';
import { type Call, accepted } from '@lyceum/web';
import { lineId, paymentId } from '../../orders/order.ids.ts';
import { numbering, numberingStream } from '../../orders/order.numbers.ts';
import type { Order, OrderState } from '../../orders/order.state.ts';
import { type OrderCommand, orderDecider } from '../../orders/deciding/order.ts';
import { redeemersOf } from '../../coupons/uses/coupon.use.ts';
import { readHolding } from '../../ordering/held.ts';
import { type OrderOutcome, orderRejections } from '../../ordering/ordering.ts';
import { expectedOnce, heldAfter, readReplacing } from '../../ordering/replacing.ts';
import type { ProviderName } from '../../payments/payment-provider.ts';
import { atOnce } from '../../payments/payment-times.ts';
import { type CommercePorts, providerNamed } from '../../ports/commerce-ports.ts';
import type { Cart, CartLine } from './cart.ts';
import { endOf } from '../payments/choosing.ts';
import { readSubscribing, subscribedBy } from './placing.plan.ts';

type Buyer = PlacedOrder['buyer'];

/** What is to stand on the invoice. */
type InvoiceTo = { readonly [Field in 'company' | 'address' | 'tax_id' | 'country']?: string | undefined };

/** Who buys, and how. */
export interface Placing {
  readonly cart: Cart;
  /** The member; without one a guest with an address. */
  readonly member: string | undefined;
  readonly email: string | undefined;
  readonly name: string | undefined;
  readonly invoice_to: InvoiceTo | undefined;
  readonly language: string | undefined;
  /** The secrets of the orders of a guest that this one may take the place of. */
  readonly secrets: readonly string[];
  /** null = there is nothing to pay, and no agreement to be saved. */
  readonly provider: ProviderName | null;
  /** Why it is given for nothing; undefined = it is bought. */
  readonly given?: string;
}

/** The lines with seats, under the ids that they have in an order. */
export const seatsOf = (order: string, lines: readonly CartLine[]) =>
  lines.flatMap(({ item_type, item_id, seat_limit: limit }, index) =>
    limit === null ? [] : [{ line_id: lineId(order, index + 1), item_type, item_id, limit }],
  );

/** The coupon of a cart, with the streams that count how often its buyer has used it. */
export async function couponOf(
  { vault }: Pick<CommercePorts, 'vault'>,
  school: string,
  { coupon }: Cart,
  { member, email }: Pick<Placing, 'member' | 'email'>,
): Promise<PlacedOrder['coupon']> {
  if (!coupon) return null;
  const buyer = { ...(member === undefined ? {} : { member_id: member }), ...(email === undefined ? {} : { email }) };
  return { ...coupon, redeemers: [...(await redeemersOf(vault, school, coupon.coupon_id, buyer))] };
}

type PlacedOrder = Extract<OrderCommand, { type: 'PlaceOrder' }>['order'];

function placedLines(id: string, { lines, totals }: Cart): PlacedOrder['lines'] {
  return lines.map(({ item_type, item_id, title, quantity, unit_price, seat_limit, access_days }, index) => {
    const { discount = 0, tax = 0, total = 0 } = totals.lines[index] ?? {};
    const seat = seat_limit !== null;
    return {
      line_id: lineId(id, index + 1),
      item_type,
      item_id,
      title,
      quantity,
      unit_price,
      discount,
      tax,
      total,
      seat,
      ...(access_days === undefined ? {} : { access_days }),
    };
  });
}

/** A guest is a person of their own until the school says which member they are. Empty texts are none. */
function buyerOf(order: string, { member, email, name, invoice_to, language }: Placing): Buyer {
  const guest = { id: order.replace(/^order_/, 'buyer_'), member_id: null };
  const { company, address, tax_id, country } = invoice_to ?? {};
  return {
    ...(member === undefined ? guest : { id: member, member_id: member }),
    ...(email ? { email } : {}),
    ...(name ? { name } : {}),
    ...(company ? { company } : {}),
    ...(address ? { address } : {}),
    ...(tax_id ? { tax_id } : {}),
    ...(country ? { country } : {}),
    ...(language ? { language } : {}),
  };
}

function placedOrder(
  id: string,
  placing: Placing,
  more: Pick<PlacedOrder, 'secret_hash' | 'coupon' | 'expires_at' | 'holds_until'>,
): PlacedOrder {
  const { cart, given } = placing;
  const { currency, tax } = cart.school;
  const { subtotal, discount_total, tax_total, total } = cart.totals;
  return {
    source: given === undefined ? 'checkout' : 'comp',
    ...(given === undefined ? {} : { reason: given }),
    buyer: buyerOf(id, placing),
    lines: placedLines(id, cart),
    subtotal,
    discount_total,
    tax_total,
    total,
    currency,
    tax,
    ...more,
    ...subscribedBy(id, cart),
  };
}

/** An order as it is after it was placed. */
export type PlacedNow = Executed<OrderState> & { readonly state: Order };

type PlacingPorts = Pick<CommercePorts, 'log' | 'ids' | 'turns' | 'secrets' | 'vault' | 'providers'>;

type PlacingCall = Pick<Call, 'school' | 'at' | 'meta' | 'commit'>;

/** The order that was placed with this Idempotency-Key before, as it is now; undefined when none was. */
export async function placedBefore(
  { log }: Pick<CommercePorts, 'log'>,
  { school: tenant, at, meta, commit }: PlacingCall,
): Promise<PlacedNow | undefined> {
  if (!(await log.find(tenant, commit.commitId))) return undefined;
  const command = () => Promise.reject(new Error('what was placed before is not read again'));
  const placed = placedNow(await execute(log, orderDecider, { tenant, stream: '', command, at, meta, ...commit }));
  const now = await fold(log, orderDecider, tenant, placed.stream);
  return { ...placed, ...now, state: now.state ?? placed.state };
}

function placedNow(outcome: OrderOutcome): PlacedNow {
  const done = accepted(outcome, orderRejections);
  if (!done.state) throw new Error('an order was placed, and there is none');
  return { ...done, state: done.state };
}

/**
 * Places an order in one commit with its number and with what is held for it, when it is the school's turn. Once for each
 * Idempotency-Key. Throws the problem why nothing is sold.
 */
export async function placeOrder(
  ports: PlacingPorts,
  { school, at, meta, commit }: PlacingCall,
  placing: Placing,
): Promise<PlacedNow> {
  const { log, ids, turns } = ports;
  const { secrets } = placing;
  const id = ids.next('order');
  const hasSecret = placing.member === undefined && placing.given === undefined;
  const hash = hasSecret ? ports.secrets.make(school, commit.commitId).hash : null;
  const coupon = await couponOf(ports, school, placing.cart, placing);
  const end = endOf(at, placing.provider ? providerNamed(ports, placing.provider) : atOnce);
  // Who has no account could be anybody: days for a transfer are days to pay, not days to hold something.
  const hold = placing.member === undefined ? endOf(at, atOnce).holds_until : end.holds_until;
  const order = placedOrder(id, placing, { secret_hash: hash, coupon, ...end });
  const payment = placing.provider && { payment_id: paymentId(id, 1), provider: placing.provider };
  const items = placing.cart.lines.map(({ item_id }) => item_id);
  const read = async () => {
    const { holds_until } = order;
    const [{ state: last, version }, { held: before, expectedVersions }, replacing, plan] = await Promise.all([
      fold(log, numbering, school, numberingStream),
      readHolding(log, school, seatsOf(id, placing.cart.lines), coupon),
      readReplacing(ports, { school, buyer: placing, order_id: id, items, at, holds_until, secrets }),
      readSubscribing(log, school, { ...placing, id, at, holds_until }),
    ]);
    const held = heldAfter(before, replacing.beside, at);
    const beside = [...replacing.beside, ...plan.beside];
    const placed = { type: 'PlaceOrder', id, order, payment, hold } as const;
    const command = { ...placed, numbering: last, held, beside, now: at };
    const others = [...expectedVersions, ...replacing.expectedVersions, ...plan.expectedVersions];
    return { command, expectedVersions: expectedOnce([{ stream: numberingStream, version }, ...others]) };
  };
  const request = { tenant: school, stream: id, command: read, at, meta, ...commit };
  return turns.take(school, async () => placedNow(await execute(log, orderDecider, request)));
}
