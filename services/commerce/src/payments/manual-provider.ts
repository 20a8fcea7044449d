import type { PaymentProvider } from './payment-provider.ts';
import { inDays } from './payment-times.ts';

/** What the operator says about bank transfers. */
interface Transfers {
  /** Days that people have for one. */
  readonly days: number;
  /** Where the money goes, in words for the person who pays; null = the school says it elsewhere. */
  readonly instructions: string | null;
}

/** The prefix of ids of payments: banks take no underscore. */
const prefix = 'payment_';

/** What the payer writes on a transfer: the id of the payment, in characters that all banks take. */
export const transferReference = (payment_id: string): string =>
  payment_id.startsWith(prefix) ? payment_id.slice(prefix.length) : payment_id;

/** The id of the payment that a statement of the bank names, which may have it in capitals. */
export const transferredPayment = (named: string): string =>
  /^[0-9a-f]{8}-/i.test(named) ? `${prefix}${named.toLowerCase()}` : named;

/**
 * Payments by a bank transfer. The operator says that the money has come, and pays back by hand: until the operator says
 * that too, nothing has gone back.
 */
export const manualProvider = ({ days, instructions }: Transfers): PaymentProvider => ({
  name: 'manual',
  ...inDays(days),
  instructions,
  refuses: () => undefined,
  open: async ({ payment_id }) => ({ reference: transferReference(payment_id), url: null }),
  charge: async () => ({ state: 'failed', reason: 'Nobody can be charged by a bank transfer without them' }),
  refund: async () => ({ state: 'pending' }),
  cancel: async () => undefined,
  look: async () => [],
  lookFor: async () => [],
});
