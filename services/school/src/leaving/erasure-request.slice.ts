import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { erasureRequestEvents } from './erasure-request.events.ts';
import { erasureRequestOperations } from './erasure-request.http.ts';
import type { ErasureRequestSettings } from './erasure-request.settings.ts';
import { erasureRequestDecider } from './erasure-request.ts';

/** The wishes of people to be erased. */
export const erasureRequestSlice: Slice<ErasureRequestSettings> = {
  name: 'erasure-requests',
  operations: ({ settings }) => erasureRequestOperations(settings.ERASURE_WAIT_DAYS),
  events: erasureRequestEvents,
  aggregates: [aggregate(streamsOf('leaving_'), erasureRequestDecider)],
};
