import type { Executed } from '@lyceum/eventlog';
import { uuidv5 } from '@lyceum/kernel';
import { Problem, accepted } from '@lyceum/web';
import type { Order, OrderState } from '../orders/order.state.ts';
import { decideOrder, orderRejections } from '../ordering/ordering.ts';
import { type CommercePorts, providerNamed } from '../ports/commerce-ports.ts';

type PayingPorts = Pick<CommercePorts, 'log' | 'clock' | 'providers' | 'logger'>;

/** An order, and where its log is. */
export type OrderNow = Pick<Executed<OrderState>, 'version' | 'lane' | 'position'> & { readonly state: Order };

interface Opening {
  readonly school: string;
  readonly issuer: string;
  readonly id: string;
  /** What the person reads that they pay for. */
  readonly title: string;
}

/**
 * Has the provider take the payment that is wanted, where it does not yet. Throws the 503 problem when it gives no answer:
 * the order is there, and the same request goes on with it.
 */
export async function openPayment(ports: PayingPorts, opening: Opening, now: OrderNow): Promise<OrderNow> {
  const { school, issuer, id, title } = opening;
  const payment = now.state.payments.at(-1);
  if (now.state.status !== 'pending' || payment?.state !== 'created') return now;
  const { payment_id, amount, provider } = payment;
  const { currency, expires_at } = now.state;
  const wanted = { school, order_id: id, payment_id, amount, currency, title, expires_at };
  const more = { return_url: `${issuer}/`, save_agreement: now.state.saves_agreement ?? false };
  const opened = await providerNamed(ports, provider)
    .open({ ...wanted, ...more })
    .catch((err: unknown) => {
      ports.logger.error({ err, provider }, 'a payment provider opens no payment');
      throw new Problem('temporarily_unavailable', 'The payment provider gives no answer; repeat the request', {
        headers: { 'Retry-After': '2' },
      });
    });
  const commitId = uuidv5('payment-opened', school, payment_id);
  const done = await decideOrder(ports, { school, id, commitId }, () => ({
    type: 'OpenPayment',
    payment_id,
    ...opened,
  }));
  const { state, ...at } = accepted(done, orderRejections);
  return state ? { ...at, state } : now;
}
