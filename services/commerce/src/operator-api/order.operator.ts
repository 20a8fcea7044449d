import { line } from '@lyceum/contracts';
import { fold } from '@lyceum/eventlog';
import { isoTime, uuidv5 } from '@lyceum/kernel';
import { type Call, type Operation, Problem, type Reply, accepted, asOf, operation } from '@lyceum/web';
import { z } from 'zod';
import { withoutCardNumber } from '../input/card-number.ts';
import { orderOf } from '../orders/order.ids.ts';
import { orderParams, orderReply } from '../orders/api/order.schema.ts';
import { type Order, type Payment, capturedOf } from '../orders/order.state.ts';
import { orderDecider } from '../orders/deciding/order.ts';
import { orderDocument } from '../orders/api/order.view.ts';
import { type OrderOutcome, decideHolding, orderRejections, takeNotice } from '../ordering/ordering.ts';
import { transferredPayment } from '../payments/manual-provider.ts';
import type { PaymentNotice, ProviderName } from '../payments/payment-provider.ts';
import type { CommercePorts } from '../ports/commerce-ports.ts';

/** The school that is meant. */
export const school = z.string().min(1).max(100).meta({ description: 'Id of the school.' });
/** Why it is done. */
export const reason = withoutCardNumber(line(1, 200));
/** What these operations have in common. */
export const about = { area: 'orders', anonymous: false, method: 'POST', status: 200, reply: orderReply } as const;
/** What they are refused with. */
export const errors = ['invalid_state', 'not_found', 'temporarily_unavailable'] as const;

/** The order after a command, as the staff read it. */
export function shown(id: string, outcome: OrderOutcome): Reply {
  const done = accepted(outcome, orderRejections);
  if (!done.state) throw new Problem('not_found');
  return { body: orderDocument(id, done.state, 'staff'), ...asOf(done) };
}

/** The kinds of notices by what the operator has the test provider do. */
const actions = {
  process: 'processing',
  succeed: 'captured',
  fail: 'failed',
  refund: 'refunded',
  fail_refund: 'refund_failed',
  dispute: 'disputed',
  win_dispute: 'dispute_won',
  lose_dispute: 'dispute_lost',
} as const satisfies Readonly<Record<string, PaymentNotice['kind']>>;

/** What is said of a payment. */
export const noticeBody = z.strictObject({
  school,
  amount: z.int().min(0).optional().meta({ description: 'Minor units; what the payment is of when left out.' }),
  currency: z.string().length(3).optional().meta({ description: 'That of the order when left out.' }),
  refund_id: withoutCardNumber(line(1, 100)).optional().meta({ description: 'Of a refund: the one that is meant.' }),
  event_id: withoutCardNumber(line(1, 100))
    .optional()
    .meta({ description: 'What the provider calls it: the same one counts once.' }),
  agreement: withoutCardNumber(line(1, 100))
    .optional()
    .meta({ description: 'By what later payments are charged; one that ends in “declined” is declined.' }),
});

/** The payment of a path. */
export const paymentParams = z.object({
  payment: z
    .string()
    .max(64)
    .meta({ description: 'Id of the payment, or of its order; of a bank transfer also what stands on it.' }),
});

/**
 * The payment that is meant: the one that is named, else the one by the provider that was made, else the newest by it, also
 * where the person has turned to another provider since.
 */
function paymentNamed(named: string, state: Order, provider: ProviderName): Payment {
  const own = state.payments.filter((each) => each.provider === provider);
  const payment =
    state.payments.find(({ payment_id }) => payment_id === named) ??
    capturedOf({ payments: own }) ??
    own.at(-1) ??
    state.payments.at(-1);
  if (!payment) throw new Problem('invalid_state', 'Nothing is to be paid for this order');
  return payment;
}

type Noticing = Pick<Call, 'commit'> & {
  readonly params: { readonly payment: string };
  readonly body: z.output<typeof noticeBody>;
};

/** What is said without an id: of money that came the event by which it did, so that it counts once; else one of its own. */
function eventOf(kind: PaymentNotice['kind'], payment: Payment, { commit }: Noticing): string {
  const own = `operator_${uuidv5('operator-notice', commit.commitId)}`;
  return kind === 'captured' ? (payment.event_id ?? own) : own;
}

/** Has a provider that cannot say it say something of a payment. Throws 404 when there is no such payment. */
export async function notice(
  ports: CommercePorts,
  provider: ProviderName,
  kind: PaymentNotice['kind'],
  call: Noticing,
) {
  const { school: tenant, amount, currency, event_id, refund_id, agreement } = call.body;
  const named = transferredPayment(call.params.payment);
  const order_id = orderOf(named);
  const { state } = order_id === undefined ? { state: null } : await fold(ports.log, orderDecider, tenant, order_id);
  if (!state || order_id === undefined) throw new Problem('not_found', 'There is no such payment');
  const payment = paymentNamed(named, state, provider);
  const { payment_id } = payment;
  const outcome = await takeNotice(ports, provider, {
    event_id: event_id ?? eventOf(kind, payment, call),
    kind,
    school: tenant,
    order_id,
    payment_id,
    reference: payment.reference ?? '',
    amount: amount ?? payment.amount,
    currency: currency ?? state.currency,
    at: isoTime(ports.clock.now()),
    ...(refund_id === undefined ? {} : { refund_id }),
    ...(agreement === undefined ? {} : { agreement }),
  });
  return shown(order_id, outcome);
}

const driveTestPayment = (ports: CommercePorts): Operation =>
  operation({
    ...about,
    id: 'driveTestPayment',
    path: '/internal/payments/test/{payment}/{action}',
    summary: 'Say what becomes of a payment of the test provider',
    description: 'As a provider would: what does not fit the order is refused, kept with it and told as stuck.',
    params: z.object({ ...paymentParams.shape, action: z.enum(Object.keys(actions) as [keyof typeof actions]) }),
    body: noticeBody,
    errors,
    handle: (call) => notice(ports, 'test', actions[call.params.action], call),
  });

const refundOrder = (ports: CommercePorts): Operation =>
  operation({
    ...about,
    id: 'refundOrder',
    path: '/internal/orders/{order}/refunds',
    idempotencyKey: 'required',
    summary: 'Pay an order back',
    description:
      'Whole without an amount and lines. With lines these are taken back, and what they cost is paid back unless an amount says otherwise. With an amount only nothing is taken back, unless it is all that is left.',
    params: orderParams,
    body: z.strictObject({
      school,
      amount: z.int().min(1).optional(),
      line_ids: z.array(z.string().max(64)).max(20).default([]),
      reason,
    }),
    errors: [...errors, 'validation_failed'],
    async handle(call) {
      const { school: tenant, amount = null, line_ids, reason } = call.body;
      const { commitId, fingerprint } = call.commit;
      const refund_id = `refund_${uuidv5('refund', commitId)}`;
      const asked = { school: tenant, id: call.params.order, commitId, fingerprint, meta: call.meta };
      const command = {
        type: 'RequestRefund',
        order_id: call.params.order,
        refund_id,
        amount,
        line_ids,
        reason,
      } as const;
      return shown(call.params.order, await decideHolding(ports, asked, (held) => ({ ...command, held })));
    },
  });

const cancelOrder = (ports: CommercePorts): Operation =>
  operation({
    ...about,
    id: 'cancelOrder',
    path: '/internal/orders/{order}/cancel',
    summary: 'Cancel an order that is not paid',
    description: 'What is held for it is free at once. Money that comes all the same goes back.',
    params: orderParams,
    body: z.strictObject({ school, reason }),
    errors,
    async handle(call) {
      const { school: tenant, reason } = call.body;
      const asked = { school: tenant, id: call.params.order, ...call.commit, meta: call.meta };
      return shown(
        call.params.order,
        await decideHolding(ports, asked, (held) => ({ type: 'CancelOrder', order_id: asked.id, reason, held })),
      );
    },
  });

/** What the operator does with payments and orders: no scope of a client moves money. */
export const orderOperatorOperations = (ports: CommercePorts): readonly Operation[] => [
  driveTestPayment(ports),
  refundOrder(ports),
  cancelOrder(ports),
];
