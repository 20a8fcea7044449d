import { type Clock, isoTime } from '@lyceum/kernel';
import type { PaymentProvider } from './payment-provider.ts';

/**
 * Payments by a bank transfer: the operator says that the money has come, and pays it back by hand. The reference is what
 * the payer writes on the transfer.
 */
export const manualProvider = (clock: Clock): PaymentProvider => ({
  name: 'manual',
  open: async ({ payment_id }) => ({ reference: payment_id, url: null }),
  charge: async () => ({ state: 'failed', reason: 'Nobody can be charged by a bank transfer without them' }),
  refund: async ({ refund_id }) => ({ state: 'done', event_id: `refunded_${refund_id}`, at: isoTime(clock.now()) }),
  cancel: async () => undefined,
  look: async () => [],
});
