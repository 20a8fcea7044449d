import { fold } from '@lyceum/eventlog';
import type { ServiceQuery } from '@lyceum/internal-api';
import { isRejection, isoTime } from '@lyceum/kernel';
import { z } from 'zod';
import { orderDecider } from '../orders/deciding/order.ts';
import { takeNotice } from '../ordering/ordering.ts';
import type { CommercePorts } from '../ports/commerce-ports.ts';

const asked = z.object({
  school: z.string(),
  order: z.string().regex(/^order_[0-9a-f-]{36}$/),
  outcome: z.enum(['captured', 'failed']),
});

/**
 * Says for the gateway, whose page of the order has a button for it, what becomes of the newest payment of an order at the
 * test provider, which moves no money and takes none in production. `done`: whether it was so.
 */
export async function answerTestPayment(
  question: ServiceQuery,
  ports: CommercePorts,
): Promise<{ readonly done: boolean }> {
  const { school, order: order_id, outcome: kind } = asked.parse(question);
  if (!ports.providers.has('test')) return { done: false };
  const { state } = await fold(ports.log, orderDecider, school, order_id);
  const payment = state?.payments.at(-1);
  if (!state || payment?.provider !== 'test' || payment.state !== 'open') return { done: false };
  const { payment_id, reference, amount } = payment;
  const { currency, saves_agreement = false } = state;
  const about = { school, order_id, payment_id, reference: reference ?? '', amount, currency };
  // Later payments are charged by it, as those of other providers are.
  const agreed = saves_agreement && kind === 'captured' ? { agreement: `test_agreement_${payment_id}` } : {};
  const notice = { ...about, ...agreed, event_id: `page_${payment_id}_${kind}`, kind, at: isoTime(ports.clock.now()) };
  return { done: !isRejection(await takeNotice(ports, 'test', notice)) };
}
