import { foldEmail } from '@lyceum/contracts';
import { type EventLog, type Expectation, type Vault, fold } from '@lyceum/eventlog';
import { type SideEvent, checkEvent, isRejection, upcast } from '@lyceum/kernel';
import { capacityEvents } from '../capacity/capacity.events.ts';
import { capacityDecider } from '../capacity/capacity.ts';
import { redeemerEvents } from '../coupons/uses/redeemer.events.ts';
import { redeemerDecider } from '../coupons/uses/redeemer.ts';
import { couponEvents } from '../coupons/coupon.events.ts';
import { couponDecider } from '../coupons/coupon.ts';
import type { Held } from '../orders/order.held.ts';
import { type OrderCommand, orderDecider } from '../orders/deciding/order.ts';
import type { Order, OrderState } from '../orders/order.state.ts';
import { isOrderSecret } from './order-secrets.ts';
import { buyerStream } from '../buyers/buyer-streams.ts';
import { buyerCheckoutsEvents } from '../buyer-checkouts/buyer-checkouts.events.ts';
import { buyerCheckouts, replacedBy } from '../buyer-checkouts/buyer-checkouts.ts';
import { readHeld } from './held.ts';

/** Who buys: a member, or a guest by the address. */
export interface WhoBuys {
  readonly member: string | undefined;
  readonly email: string | undefined;
}

interface Reading {
  readonly log: EventLog;
  readonly vault: Pick<Vault, 'derive'>;
}

/** An order that is to be placed. Times are RFC 3339 UTC. */
interface NewOrder {
  readonly school: string;
  readonly buyer: WhoBuys;
  readonly order_id: string;
  /** Ids of the items. */
  readonly items: readonly string[];
  readonly at: string;
  readonly holds_until: string;
  /** The secrets of orders that a guest has, who can only replace these; absent = none. */
  readonly secrets?: readonly string[];
}

/** What becomes of the orders that a new one replaces, with the versions at which that was read. */
interface Replacing {
  readonly beside: readonly SideEvent[];
  readonly expectedVersions: readonly Expectation[];
}

/** What was held, after events of the streams that it is held in. */
export function heldAfter({ seats, coupon }: Held, events: readonly SideEvent[], at: string): Held {
  const of = (stream: string) => events.filter((event) => event.stream === stream);
  const context = { at, version: 0 };
  return {
    seats: seats.map((seat) => ({
      ...seat,
      state: of(seat.stream).reduce(
        (state, event) => capacityDecider.evolve(state, upcast(capacityEvents, event), context),
        seat.state,
      ),
    })),
    coupon: coupon && {
      ...coupon,
      coupon: of(coupon.coupon_id).reduce(
        (state, event) => couponDecider.evolve(state, upcast(couponEvents, event), context),
        coupon.coupon,
      ),
      redeemers: coupon.redeemers.map((redeemer) => ({
        ...redeemer,
        tally: of(redeemer.stream).reduce(
          (tally, event) => redeemerDecider.evolve(tally, upcast(redeemerEvents, event), context),
          redeemer.tally,
        ),
      })),
    },
  };
}

/** The stream of what a buyer is about to buy. */
const streamOf = (vault: Reading['vault'], school: string, { member, email = '' }: WhoBuys): Promise<string> =>
  buyerStream(vault, school, 'checkouts', member === undefined ? ['email', foldEmail(email)] : ['member', member]);

/**
 * Whether a new order may cancel an older one. Whoever knows the address of a guest orders under it, so that a guest needs the
 * older one's secret; what may be paid for already, of which nobody here has heard, stays.
 */
function mayReplace(older: Order, { buyer, secrets = [] }: NewOrder): boolean {
  if (buyer.member !== undefined) return true;
  const { secret_hash, payments } = older;
  const isOwn = secret_hash !== null && secrets.some((secret) => isOrderSecret(secret, secret_hash));
  return (
    isOwn &&
    !payments.some(({ state, provider }) => state === 'processing' || (state === 'open' && provider === 'manual'))
  );
}

/**
 * Cancels the unpaid orders of a buyer that a new one replaces, and gives back what is held for them, in the commit of the new
 * one: nobody has two seats of an item, or pays for it twice, by trying again. What is paid for them all the same goes back.
 */
export async function readReplacing({ log, vault }: Reading, order: NewOrder): Promise<Replacing> {
  const { school, order_id, items, at, holds_until: until } = order;
  const stream = await streamOf(vault, school, order.buyer);
  const { state: begun, version } = await fold(log, buyerCheckouts, school, stream);
  const beside: SideEvent[] = [];
  const expectedVersions: Expectation[] = [{ stream, version }];
  const kept: string[] = [];
  for (const older of replacedBy(begun, items, at)) {
    const { state, version: of } = await fold(log, orderDecider, school, older);
    expectedVersions.push({ stream: older, version: of });
    if (!isUnpaid(state)) continue;
    if (!mayReplace(state, order)) {
      kept.push(older);
      continue;
    }
    const canceled = await readCanceling(log, school, older, { state, version: of, before: beside, at });
    beside.push(...canceled.beside);
    expectedVersions.push(...canceled.expectedVersions);
  }
  const data = { order_id, items: [...items], until, ...(kept.length > 0 ? { kept } : {}) };
  const event = { type: 'CheckoutBegun', data } as const;
  beside.push({ ...event, stream, schema: checkEvent(buyerCheckoutsEvents, event).schema });
  return { beside, expectedVersions };
}

const nothing: Replacing = { beside: [], expectedVersions: [] };

const isUnpaid = (state: OrderState): state is Order => state?.status === 'pending' || state?.status === 'failed';

/** An order that is canceled, as it is now. `before`: events that come before those of the canceling. */
interface Canceling {
  readonly state: Order;
  readonly version: number;
  readonly before: readonly SideEvent[];
  readonly at: string;
}

/** The events by which an order is canceled that nobody has paid. */
async function readCanceling(
  log: EventLog,
  school: string,
  order_id: string,
  { state, version, before, at }: Canceling,
): Promise<Replacing> {
  const { held, expectedVersions } = await readHeld(log, school, order_id);
  const reason = 'replaced by another order';
  const command: OrderCommand = { type: 'CancelOrder', order_id, reason, held: heldAfter(held, before, at) };
  const decision = orderDecider.decide(command, state);
  if (isRejection(decision)) return nothing;
  const after = decision.reduce<OrderState>(
    (from, event, index) => orderDecider.evolve(from, event, { at, version: version + index + 1 }),
    state,
  );
  const own = decision.map((event) => ({
    ...event,
    stream: order_id,
    schema: checkEvent(orderDecider.events, event).schema,
  }));
  return {
    beside: [...own, ...(orderDecider.sideEvents?.(state, after, command) ?? [])],
    expectedVersions,
  };
}

/** The same expectations, each stream once: what was read twice must not have changed in between. */
export function expectedOnce(all: readonly Expectation[]): readonly Expectation[] {
  return [...new Map(all.map((each) => [`${each.stream}@${each.version}`, each])).values()];
}
