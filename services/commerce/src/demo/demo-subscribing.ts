import { demoAccountId, demoPlanId } from '@lyceum/contracts';
import { fold } from '@lyceum/eventlog';
import { type Ids, isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import { readCart } from '../checkout/cart/cart.ts';
import { placeOrder } from '../checkout/cart/placing.ts';
import { subscriptionOf } from '../checkout/cart/placing.plan.ts';
import { payingProvider } from '../checkout/paying-provider.ts';
import { decideOrder, takeNotice } from '../ordering/ordering.ts';
import { paymentId } from '../orders/order.ids.ts';
import { orderDecider } from '../orders/deciding/order.ts';
import { testProvider } from '../payments/test-provider.ts';
import type { CommercePorts } from '../ports/commerce-ports.ts';
import { decideSubscription } from '../subscribing/subscribing.ts';
import { issueInvoicesAsThen } from './demo-invoices.ts';
import { someDay } from './demo-pricing.ts';
import { DemoRefused } from './demo-refusal.ts';
import type { DemoAct, DemoSubscription } from './demo-subscriptions.ts';
import { PastRenewals } from './past-renewals.ts';

const [minute, day] = [60_000, 86_400_000];

/** The id of the order by which a demo subscription was bought; the subscription has its own UUID. */
const orderOf = (school: string, { member, plan }: DemoSubscription): string =>
  `order_${uuidv5('demo-subscription', school, member, plan)}`;

/** The id of a demo subscription: always the same. */
export const demoSubscriptionId = (school: string, demo: DemoSubscription): string =>
  subscriptionOf(orderOf(school, demo));

/** A subscription of the demo that is being written, from its checkout to the day on which the demo begins. */
class Subscribing {
  readonly #ports: CommercePorts;
  readonly #school: string;
  readonly #demo: DemoSubscription;
  readonly #past: PastRenewals;
  readonly #order: string;
  readonly #subscription: string;
  readonly #began: number;

  constructor(ports: CommercePorts, school: string, demo: DemoSubscription, today: number) {
    this.#ports = ports;
    this.#school = school;
    this.#demo = demo;
    this.#order = orderOf(school, demo);
    this.#subscription = subscriptionOf(this.#order);
    this.#began = today - demo.ago * day;
    const of = { school, subscription: this.#subscription };
    this.#past = new PastRenewals(ports, of, isoTime(this.#began));
  }

  get #member(): string {
    return demoAccountId(this.#school, this.#demo.member);
  }

  #commitOf(step: string): string {
    return uuidv5('demo-subscription-step', this.#subscription, step);
  }

  /** All of it. */
  async perform(): Promise<void> {
    const { pays, act, ago } = this.#demo;
    await this.#place();
    if (pays !== 'never') await this.#open();
    if (pays !== 'never' && pays !== 'waits') await this.#pay();
    if (pays === 'never') await this.#expire();
    if (act) await this.#act(act);
    await this.#past.until(isoTime(this.#began + ago * day));
    for (const order of this.#past.orders)
      await issueInvoicesAsThen({ ...this.#ports, log: this.#past.ports.log }, this.#school, order);
  }

  async #place(): Promise<void> {
    const { ports, at } = this.#past;
    const { plan, coupon: coupon_code, pays } = this.#demo;
    const [school, member] = [this.#school, this.#member];
    const items = [{ item_type: 'membership_plan', item_id: demoPlanId(school, plan) }] as const;
    const cart = await readCart(ports, { school, member, at }, { items, coupon_code });
    const provider = payingProvider(ports, cart, { isGuest: false, wanted: undefined });
    const commit = { commitId: this.#commitOf('place'), fingerprint: '' };
    const meta = { actor: 'system' };
    const buyer = { member, email: undefined, name: undefined, invoice_to: undefined, language: undefined };
    const ids: Ids = { next: () => this.#order, secret: (bytes) => this.#ports.ids.secret(bytes) };
    const providers = pays === 'waits' ? new Map([['test', this.#patient()] as const]) : ports.providers;
    const placing = { ...this.#ports, ...ports, ids, providers };
    await placeOrder(placing, { school, at, meta, commit }, { cart, ...buyer, secrets: [], provider });
  }

  /** A provider that lets people pay for as long as the demo is. */
  #patient() {
    const timeToPay = Date.parse(someDay) - this.#began;
    return { ...testProvider(this.#past.ports.clock), timeToPay, timeToArrive: 0 };
  }

  async #open(): Promise<void> {
    const payment_id = paymentId(this.#order, 1);
    const asked = { school: this.#school, id: this.#order, commitId: this.#commitOf('open') };
    const reference = `test_${payment_id}`;
    await decideOrder(this.#past.ports, asked, () => ({ type: 'OpenPayment', payment_id, reference, url: null }));
  }

  async #pay(): Promise<void> {
    const { ports } = this.#past;
    const school = this.#school;
    await this.#past.until(isoTime(this.#began + 4 * minute));
    const { state } = await fold(ports.log, orderDecider, school, this.#order);
    const payment = state?.payments[0];
    if (!state || !payment) throw new Error(`demo, ${this.#order}: nothing is to be paid`);
    const { payment_id, amount } = payment;
    const agreement = this.#demo.pays === 'declined' ? 'demo_declined' : 'demo_card';
    const of = { school, order_id: this.#order, payment_id, amount, currency: state.currency, at: this.#past.at };
    const reference = `test_${payment_id}`;
    await takeNotice(ports, 'test', {
      ...of,
      event_id: `demo_captured_${payment_id}`,
      kind: 'captured',
      reference,
      agreement,
    });
  }

  async #expire(): Promise<void> {
    await this.#past.until(isoTime(this.#began + 31 * minute));
    const asked = { school: this.#school, id: this.#order, commitId: this.#commitOf('expire') };
    await decideOrder(this.#past.ports, asked, (now) => ({ type: 'ExpireOrder', now }));
  }

  async #act({ after, do: act }: DemoAct): Promise<void> {
    await this.#past.until(isoTime(this.#began + after * day));
    const asked = { school: this.#school, id: this.#subscription, commitId: this.#commitOf(act) };
    const outcome = await decideSubscription(this.#past.ports, asked, (now) =>
      act === 'pause'
        ? { type: 'PauseSubscription', now }
        : { type: 'CancelSubscription', at: 'period_end', reason: 'unused', by: 'member', now },
    );
    if (isRejection(outcome)) throw new DemoRefused(`${act} of ${this.#subscription}: ${outcome.reason}`);
  }
}

/** Writes one subscription of the demo with its orders and their invoices. `today`: when the demo begins. */
export const subscribe = (ports: CommercePorts, school: string, demo: DemoSubscription, today: number): Promise<void> =>
  new Subscribing(ports, school, demo, today).perform();
