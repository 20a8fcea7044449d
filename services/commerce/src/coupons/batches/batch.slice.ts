import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { batchEvents } from './batch.events.ts';
import { batchOperations, batches } from './batch.http.ts';
import { batchDecider } from './batch.ts';
import { batchWorking } from './batch.working.ts';

/** Coupons by the hundred. */
export const batchSlice: Slice = {
  name: 'coupon-batches',
  operations: batchOperations,
  events: batchEvents,
  aggregates: [aggregate(streamsOf('batch_'), batchDecider)],
  projections: [batches.projection],
  reactions: [batchWorking],
};
