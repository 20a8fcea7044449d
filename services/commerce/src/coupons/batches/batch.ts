import { type Decider, type Rejection, isRejection, reject } from '@lyceum/kernel';
import { couponDecider } from '../coupon.ts';
import { type BatchEvent, batchEvents } from './batch.events.ts';
import { type BatchState, evolve } from './batch.state.ts';

/** What can be asked of a batch. */
export type BatchCommand =
  | {
      readonly type: 'RequestBatch';
      readonly request: Extract<BatchEvent, { type: 'CouponBatchRequested' }>['data'];
    }
  /** Coupons were made. `from`: how many there were before. */
  | { readonly type: 'AdvanceBatch'; readonly from: number; readonly made: number };

/** What a command can be rejected for. */
export type BatchCode = 'not_found' | 'invalid_state' | 'validation_failed';

function decide(command: BatchCommand, state: BatchState): readonly BatchEvent[] | Rejection<BatchCode> {
  if (command.type === 'RequestBatch') {
    if (state) return reject('invalid_state', 'The batch exists already');
    const { currency, fields, requested_by: by } = command.request;
    const one = couponDecider.decide({ type: 'CreateCoupon', code: 'ANY', currency, fields, by }, null);
    if (isRejection(one)) return reject('validation_failed', one.reason, one.details);
    return [{ type: 'CouponBatchRequested', data: command.request }];
  }
  if (!state) return reject('not_found', 'There is no such batch');
  const { from, made } = command;
  // Written down already; or nothing was left to do.
  return state.made === from && made > from ? [{ type: 'CouponBatchAdvanced', data: { made } }] : [];
}

/** A batch of coupons: the stream is its id. */
export const batchDecider: Decider<BatchState, BatchCommand, BatchEvent, BatchCode> = {
  events: batchEvents,
  initial: null,
  decide,
  evolve,
};
