import { type Due, duesOf } from '../subscription.schedule.ts';
import type { Subscription } from '../subscription.state.ts';
import type { History } from './histories.ts';

/** A payment at the provider's fake. */
interface Charge {
  readonly order_id: string;
  readonly amount: number;
  readonly refunded: boolean;
}

/** An order of a subscription: for its first period, a renewal or a change of the plan. */
interface FakeOrder {
  readonly total: number;
  readonly paid: number;
  readonly refunded: number;
}

/** What an order is for. */
type Purpose =
  | { readonly kind: 'first' }
  | { readonly kind: 'renewal'; readonly period_start: string }
  | { readonly kind: 'change'; readonly change_id: string };

/** What the provider says of a payment, some time later and perhaps more than once. */
interface Notice {
  readonly at: number;
  readonly subscription: number;
  readonly order_id: string;
  readonly payment_id: string;
  readonly purpose: Purpose;
  readonly captured: boolean;
  readonly amount: number;
}

/** Decides by chance: numbers from 0 to below 1, the same for a seed. @see Mulberry32 */
export function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** How often a payment fails, and what notices come twice or late. */
export interface Troubles {
  readonly failing: (subscription: number) => number;
  readonly repeated: number;
  readonly late: number;
}

/**
 * Collects what is due for subscriptions, as their process will: an order for each period, payments of it at a fake of a
 * provider, and what follows from its notices. What was paid for nothing is paid back.
 */
export class Collecting {
  /** The provider's own books. */
  readonly charges = new Map<string, Charge>();
  readonly orders = new Map<string, FakeOrder>();
  readonly #subscriptions: readonly History[];
  readonly #chance: () => number;
  readonly #troubles: Troubles;
  /** What is due, worked out once for a state. */
  readonly #dues = new WeakMap<Subscription, readonly Due[]>();
  #notices: Notice[] = [];

  constructor(subscriptions: readonly History[], chance: () => number, troubles: Troubles) {
    this.#subscriptions = subscriptions;
    this.#chance = chance;
    this.#troubles = troubles;
  }

  /** Has an order paid, or tries to. A payment id is charged once. */
  charge(subscription: number, order_id: string, purpose: Purpose, total: number, now: number): void {
    if (!this.orders.has(order_id)) this.orders.set(order_id, { total, paid: 0, refunded: 0 });
    const attempt = this.#subscriptions[subscription]?.state?.dunning?.payments.length ?? 0;
    const payment_id = `${order_id}/${attempt}`;
    if (this.charges.has(payment_id) || this.#notices.some((each) => each.payment_id === payment_id)) return;
    const captured = this.#chance() >= this.#troubles.failing(subscription);
    if (captured) this.charges.set(payment_id, { order_id, amount: total, refunded: false });
    const notice = { subscription, order_id, payment_id, purpose, captured, amount: total };
    const delay = this.#chance() < this.#troubles.late ? this.#chance() * 86_400_000 : 0;
    this.#notices.push({ ...notice, at: now + delay });
    if (this.#chance() < this.#troubles.repeated) this.#notices.push({ ...notice, at: now + 3 * delay + 3_600_000 });
  }

  /** Does all that is due by now, and takes in what the provider has said by now. */
  turn(now: number): void {
    this.listen(now);
    for (const index of this.#subscriptions.keys()) this.#collect(index, now);
  }

  /** Takes in what the provider has said by now. */
  listen(now: number): void {
    const ready = this.#notices.filter(({ at }) => at <= now).toSorted((one, other) => one.at - other.at);
    this.#notices = this.#notices.filter(({ at }) => at > now);
    for (const notice of ready) this.#take(notice, new Date(now).toISOString());
  }

  #duesOf(state: Subscription): readonly Due[] {
    const dues = this.#dues.get(state) ?? duesOf(state);
    this.#dues.set(state, dues);
    return dues;
  }

  #collect(index: number, now: number): void {
    const history = this.#subscriptions[index];
    const time = new Date(now).toISOString();
    if (!history) return;
    for (;;) {
      const [due] = history.state ? this.#duesOf(history.state) : [];
      if (!due || due.at > time) return;
      if (due.renewal) {
        const { period_start, total } = due.renewal;
        this.charge(index, `order_${index}/${period_start}`, { kind: 'renewal', period_start }, total, now);
        return;
      }
      history.do({ type: 'PassTime', now: time });
    }
  }

  #take(notice: Notice, now: string): void {
    const { order_id, payment_id, captured, amount } = notice;
    const order = this.orders.get(order_id);
    if (!order) throw new Error(`no order ${order_id}`);
    if (!captured) return this.#failed(notice, now);
    const isKnown = order.paid > 0;
    if (!isKnown) this.orders.set(order_id, { ...order, paid: amount });
    const outcome = this.#paid(notice, now);
    if (typeof outcome !== 'string' || isKnown) return;
    // Nothing came of it: the money goes back.
    this.orders.set(order_id, { ...order, paid: amount, refunded: amount });
    this.charges.set(payment_id, { order_id, amount, refunded: true });
  }

  #paid({ subscription, order_id, purpose, amount: total }: Notice, now: string) {
    const history = this.#subscriptions[subscription];
    switch (purpose.kind) {
      case 'first':
        return history?.do({
          type: 'StartSubscription',
          now,
          member_id: `account_${subscription}`,
          order_id,
          provider: 'test',
          agreement: 'agreement',
        });
      case 'renewal':
        return history?.do({
          type: 'RenewSubscription',
          now,
          order_id,
          period_start: purpose.period_start,
          total,
        });
      case 'change':
        return history?.do({ type: 'CompletePlanChange', now, change_id: purpose.change_id, order_id, total });
    }
  }

  #failed({ subscription, order_id, payment_id, purpose }: Notice, now: string): void {
    const history = this.#subscriptions[subscription];
    if (purpose.kind === 'first') history?.do({ type: 'AbandonSubscription', now, order_id });
    if (purpose.kind === 'change') history?.do({ type: 'AbandonPlanChange', now, change_id: purpose.change_id });
    if (purpose.kind === 'renewal')
      history?.do({ type: 'FailRenewal', now, order_id, payment_id, period_start: purpose.period_start });
  }
}
