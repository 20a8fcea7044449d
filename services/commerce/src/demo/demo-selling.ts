import { demoAccountId } from '@lyceum/contracts';
import { execute, fold } from '@lyceum/eventlog';
import { isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import { readHolding } from '../ordering/held.ts';
import { type OrderOutcome, decideHolding, decideOrder, takeNotice } from '../ordering/ordering.ts';
import { paymentId } from '../orders/order.ids.ts';
import { numbering, numberingStream } from '../orders/order.numbers.ts';
import type { Order } from '../orders/order.state.ts';
import { type OrderCommand, orderDecider } from '../orders/deciding/order.ts';
import type { PaymentNotice } from '../payments/payment-provider.ts';
import type { CommercePorts } from '../ports/commerce-ports.ts';
import type { DemoOrder } from './demo-orders.ts';
import { type DemoShop, placedAs } from './demo-pricing.ts';
import { DemoRefused } from './demo-refusal.ts';

/** With what demo orders are written. */
export type SellingPorts = Pick<CommercePorts, 'log' | 'turns' | 'vault'>;

const minute = 60_000;

const later = (at: string, minutes: number): string => isoTime(Date.parse(at) + minutes * minute);

/** The id of a demo order: always the same. */
export const demoOrderId = (school: string, { member, at }: DemoOrder): string =>
  `order_${uuidv5('demo-order', school, member, at)}`;

/** An order of the demo that is being written: each step has a time and a commit id of its own. */
export class DemoSale {
  readonly id: string;
  readonly #ports: SellingPorts;
  readonly #shop: DemoShop;
  readonly #order: DemoOrder;

  constructor(ports: SellingPorts, shop: DemoShop, order: DemoOrder) {
    this.#ports = ports;
    this.#shop = shop;
    this.#order = order;
    this.id = demoOrderId(shop.school, order);
  }

  get member(): string {
    return demoAccountId(this.#shop.school, this.#order.member);
  }

  /** Places the order, with what is held for it. */
  async place(): Promise<Order> {
    const { log } = this.#ports;
    const { school } = this.#shop;
    const { at: now } = this.#order;
    const { order, seats } = await placedAs(this.#ports, this.#shop, this.#order, this);
    const payment = order.total > 0 ? { payment_id: paymentId(this.id, 1), provider: 'test' } : null;
    const read = async () => {
      const { state: last, version } = await fold(log, numbering, school, numberingStream);
      const { held, expectedVersions } = await readHolding(log, school, seats, order.coupon);
      const command: OrderCommand = {
        type: 'PlaceOrder',
        id: this.id,
        order,
        payment,
        numbering: last,
        held,
        now,
      };
      return { command, expectedVersions: [{ stream: numberingStream, version }, ...expectedVersions] };
    };
    const commit = { commitId: this.#commitOf('place'), meta: { actor: 'system' } };
    const request = { tenant: school, stream: this.id, command: read, at: now, ...commit };
    return this.#done(await execute(log, orderDecider, request));
  }

  /** Brings a command to the order, so many minutes after it was placed. */
  async decide(minutes: number, command: OrderCommand): Promise<Order> {
    return this.#done(await decideOrder(this.#at(minutes), this.#asked(command.type, minutes), () => command));
  }

  /** Asks for money back, so many minutes after the order was placed. */
  async requestRefund(minutes: number, amount: number | null, line_ids: readonly string[]): Promise<string> {
    const refund_id = `refund_${uuidv5('demo-refund', this.id)}`;
    const refund = { type: 'RequestRefund', order_id: this.id, refund_id, amount, line_ids } as const;
    const asked = this.#asked(refund.type, minutes);
    const reason = 'asked for';
    this.#done(await decideHolding(this.#at(minutes), asked, (held) => ({ ...refund, reason, held })));
    return refund_id;
  }

  /** Cancels the order. */
  async cancel(minutes: number): Promise<void> {
    const cancel = { type: 'CancelOrder', order_id: this.id, reason: 'changed their mind' } as const;
    this.#done(
      await decideHolding(this.#at(minutes), this.#asked(cancel.type, minutes), (held) => ({ ...cancel, held })),
    );
  }

  /** The provider says something of the payment. */
  async notice(minutes: number, kind: PaymentNotice['kind'], more: Partial<PaymentNotice> = {}): Promise<Order> {
    const { school, currency } = this.#shop;
    const { state } = await fold(this.#ports.log, orderDecider, school, this.id);
    const payment = state?.payments[0];
    if (!payment) throw new Error(`demo, ${this.id}: nothing is to be paid`);
    const { payment_id, amount } = payment;
    const at = later(this.#order.at, minutes);
    const said = { school, order_id: this.id, payment_id, reference: `test_${payment_id}`, amount, currency, at };
    const event_id = `demo_${kind}_${payment_id}`;
    // The demo schools let nothing rest while a payment is disputed.
    const ports = { ...this.#at(minutes), documents: { get: async () => undefined } };
    return this.#done(await takeNotice(ports, 'test', { ...said, event_id, kind, ...more }));
  }

  /** The provider opens the payment. */
  async openPayment(): Promise<void> {
    const payment_id = paymentId(this.id, 1);
    await this.decide(1, { type: 'OpenPayment', payment_id, reference: `test_${payment_id}`, url: null });
  }

  /** It is paid, whose it is is known, and the member has what was bought. */
  async pay(minutes: number): Promise<Order> {
    const paid = await this.notice(minutes, 'captured');
    return this.fulfil(minutes, paid);
  }

  async fulfil(minutes: number, { buyer, lines }: Order): Promise<Order> {
    const { member } = this;
    if (buyer.member_id === null) await this.decide(minutes, { type: 'AttachBuyer', member_id: member });
    let order: Order | undefined;
    for (const { line_id } of lines)
      order = this.#done(
        await decideOrder(this.#at(minutes), this.#asked(`FulfilLine ${line_id}`, minutes), () => ({
          type: 'FulfilLine',
          line_id,
        })),
      );
    if (!order) throw new Error(`demo, ${this.id}: nothing was bought`);
    return order;
  }

  #at(minutes: number) {
    const now = Date.parse(this.#order.at) + minutes * minute;
    return { ...this.#ports, clock: { now: () => now } };
  }

  #commitOf(step: string): string {
    return uuidv5('demo-order-step', this.id, step);
  }

  #asked(step: string, minutes: number) {
    return { school: this.#shop.school, id: this.id, commitId: this.#commitOf(`${step} ${minutes}`) };
  }

  #done(outcome: OrderOutcome): Order {
    if (isRejection(outcome)) throw new DemoRefused(`${this.id}: ${outcome.reason}`);
    if (!outcome.state) throw new Error(`demo, ${this.id}: there is no such order`);
    return outcome.state;
  }
}
