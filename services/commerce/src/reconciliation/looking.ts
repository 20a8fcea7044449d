import { fold } from '@lyceum/eventlog';
import { mayCome } from '../orders/order.paying.ts';
import type { Order } from '../orders/order.state.ts';
import { orderDecider } from '../orders/order.ts';
import type { PaymentNotice, PaymentProvider, PaymentReference } from '../payments/payment-provider.ts';
import { type CommercePorts, providerNamed } from '../ports/commerce-ports.ts';
import { takeNotice } from '../ordering/ordering.ts';

type LookingPorts = Pick<CommercePorts, 'log' | 'clock' | 'turns' | 'providers'>;

/** An order as it is now. */
interface Looked {
  readonly school: string;
  readonly id: string;
  readonly state: Order;
}

interface AtProvider {
  readonly provider: PaymentProvider;
  readonly payment: PaymentReference;
}

/** The payments whose money may still come, where they are. */
const unsettled = (ports: LookingPorts, { school, id: order_id, state }: Looked): readonly AtProvider[] =>
  state.payments.flatMap((each) => {
    const { payment_id, reference } = each;
    if (!mayCome(each) || reference === null) return [];
    const payment = { school, order_id, payment_id, reference };
    return [{ provider: providerNamed(ports, each.provider), payment }];
  });

type Told = readonly { readonly provider: PaymentProvider; readonly notice: PaymentNotice }[];

async function look({ provider, payment }: AtProvider): Promise<Told> {
  return (await provider.look(payment)).map((notice) => ({ provider, notice }));
}

async function take(ports: LookingPorts, told: Told): Promise<void> {
  for (const { provider, notice } of told) await takeNotice(ports, provider.name, notice);
}

/** Asks the providers what became of the payments of an order, and takes it in. Throws when one gives no answer. */
export async function lookAgain(ports: LookingPorts, looked: Looked): Promise<void> {
  for (const each of unsettled(ports, looked)) await take(ports, await look(each));
}

/**
 * Has the providers end the payments of an order, and asks them afterwards what became of them: what was paid until then is
 * taken in before `over` is called, and that nobody pays any more after it. Throws when a provider gives no answer.
 */
export async function endPayments(ports: LookingPorts, looked: Looked, over: () => Promise<unknown>): Promise<void> {
  const all: Told[number][] = [];
  for (const each of unsettled(ports, looked)) {
    await each.provider.cancel(each.payment);
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
