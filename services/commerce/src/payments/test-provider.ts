import { type Clock, isoTime } from '@lyceum/kernel';
import type { PaymentProvider } from './payment-provider.ts';
import { atOnce } from './payment-times.ts';

/** The token of an agreement that the test provider charges by, unless it ends in `declined`. */
const declined = /declined$/;

/**
 * Takes payments that move no money: whether they succeed, the operator says under `/internal/payments/test`. It keeps
 * nothing, so that what it answers follows from what it is asked.
 */
export const testProvider = (clock: Clock): PaymentProvider => ({
  name: 'test',
  ...atOnce,
  instructions: null,
  refuses: () => undefined,
  open: async ({ payment_id, return_url }) => ({ reference: `test_${payment_id}`, url: return_url }),
  async charge({ school, order_id, payment_id, amount, currency, agreement }) {
    if (declined.test(agreement)) return { state: 'failed', reason: 'The test provider declines this agreement' };
    const reference = `test_${payment_id}`;
    const notice = {
      event_id: `charged_${payment_id}`,
      kind: 'captured',
      at: isoTime(clock.now()),
      agreement,
    } as const;
    return { state: 'captured', notice: { ...notice, school, order_id, payment_id, reference, amount, currency } };
  },
  refund: async ({ refund_id }) => ({ state: 'done', event_id: `refunded_${refund_id}`, at: isoTime(clock.now()) }),
  cancel: async () => undefined,
  look: async () => [],
  lookFor: async () => [],
});
