import { describe, expect, test } from '@jest/globals';
import { manualProvider, transferReference, transferredPayment } from './manual-provider.ts';

const payment_id = 'payment_0195a3c2-7d10-7abc-8def-0123456789ab.1';

describe('a bank transfer', () => {
  test('is named in characters that banks take, and found again when a bank writes it in capitals', () => {
    const reference = transferReference(payment_id);
    // The characters of SEPA transfers, EPC217-08 §6.2.
    expect(reference).toMatch(/^[A-Za-z0-9/?:().,'+ -]{1,140}$/);
    expect([reference, reference.toUpperCase(), payment_id].map(transferredPayment)).toEqual([
      payment_id,
      payment_id,
      payment_id,
    ]);
  });

  test('has days, and its refund waits for the operator', async () => {
    const provider = manualProvider({ days: 7, instructions: 'To account 1' });
    expect(provider).toMatchObject({ timeToPay: 7 * 24 * 3_600_000, instructions: 'To account 1' });
    const about = { school: 'school_1', order_id: 'order_1', payment_id, reference: 'r' };
    const refund = { ...about, refund_id: 'refund_1', amount: 1, currency: 'USD', reason: 'asked for' };
    expect(await provider.refund(refund)).toEqual({ state: 'pending' });
  });
});
