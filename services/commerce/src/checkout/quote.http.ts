import { type Call, type Operation, accepted, operation, perMinute, refuseBeyond, addressPartition } from '@lyceum/web';
import { isRejection } from '@lyceum/kernel';
import { payable, spend } from '../billing/amounts.ts';
import type { Tax } from '../money/tax.ts';
import { totalsOf } from '../money/totals.ts';
import { type Held, eventsOfHolding } from '../orders/order.held.ts';
import { readHolding } from '../ordering/held.ts';
import { orderRejections } from '../ordering/ordering.ts';
import { heldAfter, readReplacing } from '../ordering/replacing.ts';
import type { CommercePorts } from '../ports/commerce-ports.ts';
import type { CartPlan } from './cart/cart.plan.ts';
import { type Cart, readCart } from './cart/cart.ts';
import { quoteBody, quoteReply } from './checkout.schema.ts';
import { refuseGuests } from './paying-provider.ts';
import { couponOf, seatsOf } from './cart/placing.ts';

/** How often one address may ask what things cost, and buy with a coupon: codes are guessed by both. */
const quotes = perMinute('quotes', 10);

/** How often without a code: a page that sells asks each time it is shown, and a classroom has one address. */
const prices = perMinute('prices', 60);

/** Counts a try. Throws the 429 problem for one too many. */
export const admitQuote = async ({ limits }: Pick<CommercePorts, 'limits'>, call: Pick<Call, 'school' | 'address'>) =>
  refuseBeyond(await limits.admit(quotes, call.school, addressPartition(call.address)));

/** Who buys: a member by their token, or a guest. */
export const buyingOf = ({ school, principal, at }: Pick<Call, 'school' | 'principal' | 'at'>) => ({
  school,
  member: principal?.subject,
  at,
});

/** What is subscribed to, and what the payments after this one come to. */
function planDocument({ terms, trial_days, coupon, saves_agreement }: CartPlan, tax: Tax) {
  const { plan_id, plan_version, kind, interval, price } = terms;
  const later = trial_days > 0 ? coupon : spend(coupon);
  const paid = (discount: typeof later) => {
    if (!saves_agreement) return null;
    const { total: unit_price } = payable(terms, discount, 0);
    return { amount: totalsOf([{ quantity: 1, unit_price }], null, tax).total, currency: price.currency };
  };
  return {
    plan_id,
    plan_version,
    kind,
    interval: interval?.unit ?? null,
    interval_count: interval?.count ?? null,
    trial_days,
    price,
    renewal: paid(later),
    full_renewal: paid(later?.remaining_cycles === null ? later : null),
  };
}

function quoteDocument({ school: { currency, tax }, lines, totals, plan }: Cart) {
  const money = (amount: number) => ({ amount, currency });
  return {
    object: 'quote',
    lines: lines.map(({ seat_limit: _limit, access_days: _days, unit_price, ...line }, index) => ({
      ...line,
      unit_price: money(unit_price),
      discount: money(totals.lines[index]?.discount ?? 0),
      tax: money(totals.lines[index]?.tax ?? 0),
      total: money(totals.lines[index]?.total ?? 0),
    })),
    subtotal: money(totals.subtotal),
    discount_total: money(totals.discount_total),
    tax_total: money(totals.tax_total),
    tax,
    total: money(totals.total),
    currency,
    plan: plan && planDocument(plan, tax),
  };
}

/** What is held, but for the member's own order that a checkout would replace. */
async function withoutOwn(
  reading: Pick<CommercePorts, 'log' | 'vault'>,
  { school, principal, at }: Pick<Call, 'school' | 'principal' | 'at'>,
  { before, items }: { readonly before: Held; readonly items: readonly { readonly item_id: string }[] },
): Promise<Held> {
  if (!principal) return before;
  const buyer = { member: principal.subject, email: undefined };
  const wanted = { school, buyer, order_id: '', items: items.map(({ item_id }) => item_id), at, holds_until: at };
  const { beside } = await readReplacing(reading, wanted);
  return heldAfter(before, beside, at);
}

/** Says what things would cost. */
export const quoteCheckout = ({
  limits,
  vault,
  providers,
}: Pick<CommercePorts, 'limits' | 'vault' | 'providers'>): Operation =>
  operation({
    id: 'quoteCheckout',
    method: 'POST',
    path: '/api/checkout/quotes',
    area: 'orders',
    scope: 'account:read',
    anonymous: true,
    summary: 'Ask what things cost',
    description:
      'As of now, tax and discounts included; nothing is held. At most 60 in a minute from one address, 10 with a coupon.',
    body: quoteBody,
    status: 200,
    reply: quoteReply,
    errors: [
      'already_owned',
      'already_subscribed',
      'coupon_invalid',
      'currency_mismatch',
      'rate_limited',
      'sold_out',
      'temporarily_unavailable',
    ],
    async handle(call, ports) {
      if (call.body.coupon_code !== undefined) await admitQuote({ limits }, call);
      else refuseBeyond(await limits.admit(prices, call.school, addressPartition(call.address)));
      const cart = await readCart(ports, buyingOf(call), call.body);
      if (!call.principal) refuseGuests({ providers }, cart);
      const { principal, school, at } = call;
      const coupon = await couponOf({ vault }, school, cart, { member: principal?.subject, email: undefined });
      const { held: before } = await readHolding(ports.log, school, seatsOf('', cart.lines), coupon);
      const held = await withoutOwn({ log: ports.log, vault }, call, { before, items: cart.lines });
      const by = { order_id: '', member_id: null, discount_total: 0, currency: cart.school.currency };
      const holding = eventsOfHolding(held, { by, hold: at, now: at });
      if (isRejection(holding)) accepted(holding, orderRejections);
      return { body: quoteDocument(cart) };
    },
  });
