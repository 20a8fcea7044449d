import { type Recorded, recording, unrecorded } from '@lyceum/kernel';
import type { BatchEvent } from './batch.events.ts';

type Requested = Extract<BatchEvent, { type: 'CouponBatchRequested' }>['data'];

/** A batch of coupons as its events tell it. */
export interface Batch extends Readonly<Requested>, Recorded {
  readonly status: 'running' | 'completed';
  readonly made: number;
}

/** A batch; null = there is none. */
export type BatchState = Batch | null;

function apply(state: BatchState, event: BatchEvent): BatchState {
  if (event.type === 'CouponBatchRequested') return { ...event.data, status: 'running', made: 0, ...unrecorded };
  if (!state) return state;
  const { made } = event.data;
  return { ...state, made, status: made >= state.count ? 'completed' : 'running' };
}

/** Folds an event as the log recorded it. */
export const evolve = recording(apply, { created: 'CouponBatchRequested' });
