import { uuidv5 } from '@lyceum/kernel';
import { type Call, Problem, accepted } from '@lyceum/web';
import { paymentId } from '../../orders/order.ids.ts';
import { canBePaid } from '../../orders/deciding/order.paying.ts';
import { endPayments, readOrder } from '../../reconciliation/looking.ts';
import { decideHolding, orderRejections } from '../../ordering/ordering.ts';
import type { Order } from '../../orders/order.state.ts';
import type { PaymentProvider, ProviderName } from '../../payments/payment-provider.ts';
import { type CommercePorts, providerNamed } from '../../ports/commerce-ports.ts';
import { type Need, chosenProvider, endOf, toBePaidAtOnce, toSaveAgreements } from './choosing.ts';
import type { OrderNow } from './paying.ts';

/** What a provider has to be able to do for an order beside taking its amount. */
function needOf({ total, subscription_id, buyer, created_at, expires_at }: Order): Need | undefined {
  // Nothing is paid, and something agreed to.
  if (total === 0) return toSaveAgreements;
  const isGuestsPlan = subscription_id !== null && buyer.member_id === null;
  const isNoLonger = (provider: PaymentProvider) => endOf(created_at, provider).expires_at <= expires_at;
  // A place in a plan is kept as long as its order can be paid.
  return isGuestsPlan ? { ...toBePaidAtOnce, has: isNoLonger } : undefined;
}

/** The one that is wanted, else the one of the payment before, as long as there is it. */
function providerOf(ports: CommercePorts, { state }: OrderNow, wanted: ProviderName | undefined): ProviderName {
  const before = state.payments.at(-1)?.provider;
  const same = [...ports.providers.keys()].find((name) => name === before);
  const money = { amount: state.total, currency: state.currency };
  return chosenProvider(ports, wanted ?? same, money, needOf(state));
}

/** Has the provider before end its payment: nobody is to pay twice. Throws the 503 problem when it gives no answer. */
async function endBefore(ports: CommercePorts, school: string, id: string, { state }: OrderNow): Promise<OrderNow> {
  await endPayments(ports, { school, id, state }, async () => undefined).catch((err: unknown) => {
    ports.logger.error({ err }, 'a payment provider does not end a payment that another one is to replace');
    throw new Problem('temporarily_unavailable', 'The payment provider gives no answer; repeat the request', {
      headers: { 'Retry-After': '2' },
    });
  });
  return orderNow(ports, school, id);
}

async function orderNow(ports: CommercePorts, school: string, id: string): Promise<OrderNow> {
  const now = await readOrder(ports, school, id);
  if (!now) throw new Problem('not_found');
  return now;
}

type Asking = Pick<Call, 'school' | 'commit' | 'meta'> & { readonly params: { readonly order: string } };

/**
 * Begins another payment of an order: in place of one that failed, or of one by another provider, which is ended before.
 * Throws the problem why there is none.
 */
export async function payAgain(
  ports: CommercePorts,
  { school, commit, meta, params: { order: id } }: Asking,
  found: OrderNow,
  wanted: ProviderName | undefined,
): Promise<OrderNow> {
  const provider = providerOf(ports, found, wanted);
  const last = found.state.payments.at(-1);
  const isReplaced = last !== undefined && canBePaid(last) && last.provider !== provider;
  const { state } = isReplaced ? await endBefore(ports, school, id, found) : found;
  const payment_id = paymentId(id, state.payments.length + 1);
  const end = endOf(state.created_at, providerNamed(ports, provider));
  const asked = {
    school,
    id,
    commitId: uuidv5('payment-started', commit.commitId),
    fingerprint: commit.fingerprint,
    meta,
  };
  const command = { type: 'StartPayment', order_id: id, payment_id, provider, end } as const;
  accepted(await decideHolding(ports, asked, (held, now) => ({ ...command, held, now })), orderRejections);
  return orderNow(ports, school, id);
}
