import { isRejection } from '@lyceum/kernel';
import type { Middleware } from '@lyceum/web';
import { takeNotice } from '../ordering/ordering.ts';
import { isOrderId } from '../orders/order.ids.ts';
import { stripeWebhooks } from '../payments/stripe/stripe-endpoint.ts';
import type { CommercePorts } from '../ports/commerce-ports.ts';
import { keepUnclaimed } from '../unclaimed/unclaimed.keeping.ts';

/** Where providers say what happened to payments. */
export function webhookEndpoints(ports: CommercePorts): readonly Middleware[] {
  const { stripe, logger } = ports;
  if (!stripe) return [];
  return [
    stripeWebhooks({
      ...stripe,
      logger,
      take: async (notice) => isOrderId(notice.order_id) && !isRejection(await takeNotice(ports, 'stripe', notice)),
      async keep({ school, ...notice }) {
        await keepUnclaimed(ports, school, { provider: 'stripe', ...notice });
      },
    }),
  ];
}
