import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import { codeOf } from './batch.codes.ts';
import type { BatchEvent } from './batch.events.ts';
import { batchDecider } from './batch.ts';

const request = {
  count: 40,
  prefix: 'FAIR',
  currency: 'USD',
  fields: {
    name: 'Fair',
    kind: 'percent' as const,
    value: 100,
    applies_to: 'all' as const,
    max_redemptions: 1,
    per_member_limit: null,
    min_subtotal: null,
    starts_at: null,
    ends_at: null,
    duration: 'once' as const,
    duration_cycles: null,
  },
  seed: 'a seed',
  requested_by: 'acc_1',
};
const requested: BatchEvent = { type: 'CouponBatchRequested', data: request };
const advanced = (made: number): BatchEvent => ({ type: 'CouponBatchAdvanced', data: { made } });
const advance = (from: number, made: number) => ({ type: 'AdvanceBatch', from, made }) as const;

describe('a batch of coupons', () => {
  test('is requested once, with terms that a coupon may have', () => {
    given(batchDecider).when({ type: 'RequestBatch', request }).then(requested);
    given(batchDecider, requested).when({ type: 'RequestBatch', request }).rejected('invalid_state');
    const faulty = { ...request, fields: { ...request.fields, value: 101 } };
    given(batchDecider).when({ type: 'RequestBatch', request: faulty }).rejected('validation_failed');
  });

  test('goes on from where it was, and no step counts twice', () => {
    given(batchDecider, requested).when(advance(0, 25)).then(advanced(25));
    const half = given(batchDecider, requested, advanced(25));
    half.when(advance(0, 25)).unchanged();
    half.when(advance(25, 25)).unchanged();
    half.when(advance(25, 40)).then(advanced(40));
    expect([half.state?.status, given(batchDecider, requested, advanced(40)).state?.status]).toEqual([
      'running',
      'completed',
    ]);
    given(batchDecider).when(advance(0, 1)).rejected('not_found');
  });

  test('has codes that are all different, the same again, and of their seed only', () => {
    const codes = Array.from({ length: 1_000 }, (_, index) => codeOf(request, index, 0));
    expect(new Set(codes).size).toBe(1_000);
    for (const code of codes) expect(code).toMatch(/^FAIR-[0-9A-HJKMNP-TV-Z]{12}$/);
    expect(codeOf(request, 7, 0)).toBe(codes[7]);
    expect(codeOf(request, 7, 1)).not.toBe(codes[7]);
    expect(codeOf({ ...request, seed: 'another' }, 7, 0)).not.toBe(codes[7]);
    expect(codeOf({ ...request, prefix: '' }, 7, 0)).toHaveLength(12);
  });
});
