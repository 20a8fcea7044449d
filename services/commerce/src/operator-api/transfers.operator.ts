import { line } from '@lyceum/contracts';
import { isoTime } from '@lyceum/kernel';
import { type Operation, Problem, operation } from '@lyceum/web';
import { z } from 'zod';
import { orderParams } from '../orders/api/order.schema.ts';
import { readOrder } from '../reconciliation/looking.ts';
import { decideOrder, takeNotice } from '../ordering/ordering.ts';
import type { CommercePorts } from '../ports/commerce-ports.ts';
import { about, errors, notice, noticeBody, paymentParams, school, shown } from './order.operator.ts';

const confirmTransfer = (ports: CommercePorts): Operation =>
  operation({
    ...about,
    id: 'confirmTransfer',
    path: '/internal/payments/manual/{payment}/capture',
    summary: 'Say that a bank transfer has come',
    description:
      'The payment by its id, that of its order, or as the statement of the bank names it. Money that came too late, or that is not wanted any more, is answered with a refund that is returning: transfer it back, and say so. A second transfer for the same payment, under another event_id, is refused and told as stuck: transfer it back, and dismiss it.',
    params: paymentParams,
    body: noticeBody,
    errors,
    handle: (call) => notice(ports, 'manual', 'captured', call),
  });

const confirmRefund = (ports: CommercePorts): Operation =>
  operation({
    ...about,
    id: 'confirmTransferBack',
    path: '/internal/orders/{order}/refunds/{refund}/confirm',
    summary: 'Say that money has gone back by a bank transfer',
    description:
      'Of a refund that is requested or returning, for a payment by a bank transfer. Until then nothing has.',
    params: z.object({
      ...orderParams.shape,
      refund: z.string().min(1).max(100).meta({ description: 'Id of the refund.' }),
    }),
    body: z.strictObject({ school }),
    errors,
    async handle(call) {
      const { order: order_id, refund: refund_id } = call.params;
      const { school: tenant } = call.body;
      const now = await readOrder(ports, tenant, order_id);
      const refund = now?.state.refunds.find((each) => each.refund_id === refund_id);
      const payment = now?.state.payments.find(({ payment_id }) => payment_id === refund?.payment_id);
      if (!now || !refund || !payment) throw new Problem('not_found', 'There is no such refund');
      if (payment.provider !== 'manual') throw new Problem('invalid_state', `${payment.provider} says that itself`);
      const { payment_id, reference } = payment;
      const outcome = await takeNotice(ports, 'manual', {
        event_id: `transferred_${refund_id}`,
        kind: 'refunded',
        school: tenant,
        order_id,
        payment_id,
        reference: reference ?? '',
        amount: refund.amount,
        currency: now.state.currency,
        at: isoTime(ports.clock.now()),
        refund_id,
      });
      return shown(order_id, outcome);
    },
  });

const dismissNotice = (ports: CommercePorts): Operation =>
  operation({
    ...about,
    id: 'dismissNotice',
    path: '/internal/orders/{order}/notices/dismiss',
    summary: 'Say that a refused notice of a provider is dealt with',
    description:
      'Nothing follows from it for the order. Its id stands in the words of the stuck process fulfilment: resume that one afterwards.',
    params: orderParams,
    body: z.strictObject({ school, event_id: line(1, 200).meta({ description: 'What the provider calls it.' }) }),
    errors,
    async handle(call) {
      const { school: tenant, event_id } = call.body;
      const asked = { school: tenant, id: call.params.order, ...call.commit, meta: call.meta };
      return shown(asked.id, await decideOrder(ports, asked, () => ({ type: 'DismissNotice', event_id })));
    },
  });

/** What the operator says of bank transfers, and of what providers said. */
export const transferOperations = (ports: CommercePorts): readonly Operation[] => [
  confirmTransfer(ports),
  confirmRefund(ports),
  dismissNotice(ports),
];
