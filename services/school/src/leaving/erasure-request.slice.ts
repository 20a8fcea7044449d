import { fold } from '@lyceum/eventlog';
import { type ModulePorts, type PersonalData, type Slice, aggregate, onlyRecord, streamsOf } from '@lyceum/service';
import { erasureRequestEvents } from './erasure-request.events.ts';
import { erasureRequestOperations } from './erasure-request.http.ts';
import type { ErasureRequestSettings } from './erasure-request.settings.ts';
import { erasureRequestDecider, erasureRequestStream } from './erasure-request.ts';

const erasureRequestData: PersonalData<ModulePorts> = {
  file: 'erasure-request',
  async read({ school, subject }, { log }) {
    const { state } = await fold(log, erasureRequestDecider, school, erasureRequestStream(subject));
    const { status, requested_at, due_at } = state;
    return onlyRecord(status === 'none' ? null : { status, requested_at, erases_at: due_at });
  },
};

/** The wishes of people to be erased. */
export const erasureRequestSlice: Slice<ErasureRequestSettings> = {
  name: 'erasure-requests',
  operations: ({ settings }) => erasureRequestOperations(settings.ERASURE_WAIT_DAYS),
  events: erasureRequestEvents,
  aggregates: [aggregate(streamsOf('leaving_'), erasureRequestDecider)],
  personalData: [erasureRequestData],
};
