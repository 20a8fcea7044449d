import type { DemoFate, DemoOrder } from './demo-orders.ts';
import { type DemoShop, someDay } from './demo-pricing.ts';
import { DemoSale, type SellingPorts } from './demo-selling.ts';

/** Minutes. */
const [hour, day] = [60, 1_440];

/** How each fate comes about, after the payment was opened. */
const fates: Readonly<Record<Exclude<DemoFate, 'given'>, (sale: DemoSale) => Promise<unknown>>> = {
  pending: async () => undefined,
  paid: (sale) => sale.pay(4),
  expired: (sale) => sale.decide(31, { type: 'ExpireOrder', now: someDay }),
  async 'too late'(sale) {
    await sale.decide(31, { type: 'ExpireOrder', now: someDay });
    const { refunds } = await sale.notice(55, 'captured');
    const [back] = refunds;
    if (back) await sale.decide(56, { type: 'RecordReturn', refund_id: back.refund_id });
  },
  failed: (sale) => sale.notice(3, 'failed'),
  canceled: (sale) => sale.cancel(12),
  async refunded(sale) {
    const { payments } = await sale.pay(4);
    const refund_id = await sale.requestRefund(2 * day, null, []);
    await sale.notice(2 * day + 1, 'refunded', { refund_id, amount: payments[0]?.amount ?? 0 });
  },
  async 'refunded in part'(sale) {
    const { total } = await sale.pay(4);
    const amount = Math.floor(total / 2);
    const refund_id = await sale.requestRefund(3 * day, amount, []);
    await sale.notice(3 * day + 1, 'refunded', { refund_id, amount });
  },
  async 'one line refunded'(sale) {
    const { lines } = await sale.pay(4);
    const [{ line_id, total: amount } = { line_id: '', total: 0 }] = lines.slice(-1);
    const refund_id = await sale.requestRefund(day, amount, [line_id]);
    await sale.notice(day + 1, 'refunded', { refund_id, amount });
  },
  async disputed(sale) {
    await sale.pay(4);
    await sale.notice(5 * day, 'disputed');
  },
  async 'dispute won'(sale) {
    await sale.pay(4);
    await sale.notice(5 * day, 'disputed');
    await sale.notice(9 * day + hour, 'dispute_won');
  },
  async 'charged back'(sale) {
    await sale.pay(4);
    await sale.notice(5 * day, 'disputed');
    await sale.notice(9 * day, 'dispute_lost');
  },
};

/** Writes one order of the demo with what became of it, by the commands of checkouts, providers and operators. */
export async function sell(ports: SellingPorts, shop: DemoShop, order: DemoOrder): Promise<void> {
  const sale = new DemoSale(ports, shop, order);
  const placed = await sale.place();
  if (order.fate === 'given') return void (await sale.fulfil(1, placed));
  await sale.openPayment();
  await fates[order.fate](sale);
}
