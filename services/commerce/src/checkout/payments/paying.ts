import type { Executed } from '@lyceum/eventlog';
import { uuidv5 } from '@lyceum/kernel';
import { Problem, accepted } from '@lyceum/web';
import { canBePaid } from '../../orders/deciding/order.paying.ts';
import type { Order, OrderState } from '../../orders/order.state.ts';
import { readOrder } from '../../reconciliation/looking.ts';
import { decideOrder, orderRejections } from '../../ordering/ordering.ts';
import type { PaymentProvider, PaymentReference } from '../../payments/payment-provider.ts';
import { type CommercePorts, providerNamed } from '../../ports/commerce-ports.ts';
import { hostedPage } from './hosted-page.ts';

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
 * the order is there, and the same request goes on with it. Answers with the order as it is afterwards.
 */
export async function openPayment(ports: PayingPorts, opening: Opening, now: OrderNow): Promise<OrderNow> {
  const { school, issuer, id, title } = opening;
  const payment = now.state.payments.at(-1);
  if (now.state.status !== 'pending' || payment?.state !== 'created') return now;
  const { payment_id, amount, started_at } = payment;
  const { currency, expires_at } = now.state;
  const provider = providerNamed(ports, payment.provider);
  const wanted = { school, order_id: id, payment_id, amount, currency, title, started_at, expires_at };
  const more = { return_url: hostedPage(issuer, id), save_agreement: now.state.saves_agreement ?? false };
  const opened = await provider.open({ ...wanted, ...more }).catch((err: unknown) => {
    ports.logger.error({ err, provider: provider.name }, 'a payment provider opens no payment');
    throw new Problem('temporarily_unavailable', 'The payment provider gives no answer; repeat the request', {
      headers: { 'Retry-After': '2' },
    });
  });
  const after = await recordOpening(ports, { school, id, payment_id }, opened);
  const mine = after.state.payments.find((each) => each.payment_id === payment_id);
  if ('reference' in opened && (mine?.state === 'created' || mine?.state === 'failed'))
    await end(ports, provider, { school, order_id: id, payment_id, reference: opened.reference });
  return after;
}

/** How an order is paid, for the person who pays; null = nothing is to be paid. */
export function paymentDocument({ providers }: Pick<PayingPorts, 'providers'>, { payments }: Order) {
  const payment = payments.at(-1);
  if (!payment) return null;
  const { payment_id: id, provider: name, state, url, reference } = payment;
  const provider = [...providers.values()].find((each) => each.name === name);
  const instructions = canBePaid(payment) ? (provider?.instructions ?? null) : null;
  return { id, provider: name, state, url, reference, instructions };
}

/** The order was canceled, or its time was over, while the provider opened its payment: nobody is to pay it. */
async function end({ logger }: PayingPorts, provider: PaymentProvider, payment: PaymentReference): Promise<void> {
  await provider.cancel(payment).catch((err: unknown) => {
    // It ends there by itself; what is paid until then goes back.
    logger.error({ err, provider: provider.name }, 'a payment provider does not end a payment');
  });
}

type Opened = Awaited<ReturnType<PaymentProvider['open']>>;

/** Writes down what the provider said. A payment that it never takes has failed: the order waits for another one. */
async function recordOpening(
  ports: PayingPorts,
  { school, id, payment_id }: { readonly school: string; readonly id: string; readonly payment_id: string },
  opened: Opened,
): Promise<OrderNow> {
  const isRefused = 'refused' in opened;
  if (isRefused) ports.logger.error({ payment_id, reason: opened.refused }, 'a payment provider never takes a payment');
  const commitId = uuidv5(isRefused ? 'payment-refused' : 'payment-opened', school, payment_id);
  const command = isRefused
    ? ({ type: 'FailPayment', payment_id, reason: opened.refused } as const)
    : ({ type: 'OpenPayment', payment_id, ...opened } as const);
  accepted(await decideOrder(ports, { school, id, commitId }, () => command), orderRejections);
  const now = await readOrder(ports, school, id);
  if (!now) throw new Problem('not_found');
  return now;
}
