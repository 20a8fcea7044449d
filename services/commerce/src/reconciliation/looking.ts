import { fold } from '@lyceum/eventlog';
import { mayCome } from '../orders/deciding/order.paying.ts';
import type { Order, Payment } from '../orders/order.state.ts';
import { orderDecider } from '../orders/deciding/order.ts';
import type { PaymentNotice, PaymentProvider, PaymentReference } from '../payments/payment-provider.ts';
import { type CommercePorts, providerNamed } from '../ports/commerce-ports.ts';
import { type NoticePorts, takeNotice } from '../ordering/ordering.ts';
import { subscriptionDecider } from '../subscriptions/subscription.ts';

type LookingPorts = NoticePorts & Pick<CommercePorts, 'providers'>;

/** An order as it is now. */
interface Looked {
  readonly school: string;
  readonly id: string;
  readonly state: Order;
}

/** A payment whose money may still come, where it is. `reference`: null = the provider gave none, or it was lost. */
interface AtProvider {
  readonly provider: PaymentProvider;
  readonly payment: Omit<PaymentReference, 'reference'> & Pick<Payment, 'reference' | 'started_at'>;
  /** By what it may have been charged without the person; null = by nothing. */
  readonly agreement: string | null;
}

type Told = readonly { readonly provider: PaymentProvider; readonly notice: PaymentNotice }[];

/**
 * What a provider knows of a payment. One that it gave no reference for may have been charged all the same: it is looked for
 * by what was agreed.
 */
export async function knownOf({ provider, payment, agreement }: AtProvider): Promise<readonly PaymentNotice[]> {
  const { school, order_id, payment_id, reference, started_at } = payment;
  const about = { school, order_id, payment_id };
  if (reference !== null) return provider.look({ ...about, reference });
  return agreement === null ? [] : provider.lookFor({ ...about, agreement, started_at });
}

/** The payments whose money may still come, where they are. */
async function unsettled(ports: LookingPorts, { school, id: order_id, state }: Looked): Promise<readonly AtProvider[]> {
  const coming = state.payments.filter(mayCome);
  const isUnnamed = coming.some(({ reference }) => reference === null);
  const agreed = isUnnamed ? await agreedBy(ports, school, state) : null;
  return coming.flatMap(({ provider: name, payment_id, reference, started_at }) => {
    const agreement = agreed?.provider === name ? agreed.agreement : null;
    if (reference === null && agreement === null) return [];
    const payment = { school, order_id, payment_id, reference, started_at };
    return [{ provider: providerNamed(ports, name), payment, agreement }];
  });
}

/** The subscription that an order is for: what it is charged by. */
async function agreedBy({ log }: LookingPorts, school: string, { subscription_id }: Order) {
  return subscription_id === null ? null : (await fold(log, subscriptionDecider, school, subscription_id)).state;
}

async function look(at: AtProvider): Promise<Told> {
  return (await knownOf(at)).map((notice) => ({ provider: at.provider, notice }));
}

async function take(ports: LookingPorts, told: Told): Promise<void> {
  for (const { provider, notice } of told) await takeNotice(ports, provider.name, notice);
}

/** Asks the providers what became of the payments of an order, and takes it in. Throws when one gives no answer. */
export async function lookAgain(ports: LookingPorts, looked: Looked): Promise<void> {
  for (const each of await unsettled(ports, looked)) await take(ports, await look(each));
}

/**
 * Has the providers end the payments of an order, and asks them afterwards what became of them: what was paid until then is
 * taken in before `over` is called, and that nobody pays any more after it. Throws when a provider gives no answer.
 */
export async function endPayments(ports: LookingPorts, looked: Looked, over: () => Promise<unknown>): Promise<void> {
  const all: Told[number][] = [];
  for (const each of await unsettled(ports, looked)) {
    const { reference, ...about } = each.payment;
    if (reference !== null) await each.provider.cancel({ ...about, reference });
    all.push(...(await look(each)));
  }
  const isEnd = ({ notice }: Told[number]) => notice.kind === 'failed';
  await take(
    ports,
    all.filter((each) => !isEnd(each)),
  );
  await over();
  await take(ports, all.filter(isEnd));
}

/** An order as it is now; undefined when there is none. */
export async function readOrder({ log }: Pick<CommercePorts, 'log'>, school: string, id: string) {
  const { state, ...found } = await fold(log, orderDecider, school, id);
  return state ? { ...found, state } : undefined;
}
