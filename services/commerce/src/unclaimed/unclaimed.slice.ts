import { type Slice, aggregate, streamNamed } from '@lyceum/service';
import type { CommerceServicePorts } from '../ports/commerce-ports.ts';
import type { CommerceSettings } from '../ports/commerce-settings.ts';
import { unclaimedEvents } from './unclaimed.events.ts';
import { unclaimedOperations } from './unclaimed.operator.ts';
import { unclaimedProcess } from './unclaimed.process.ts';
import { unclaimedDecider, unclaimedStream } from './unclaimed.ts';

/** What providers say of payments that no order has. */
export const unclaimedSlice: Slice<CommerceSettings, CommerceServicePorts> = {
  name: 'unclaimed-notices',
  operations: [],
  internal: unclaimedOperations,
  events: unclaimedEvents,
  aggregates: [aggregate(streamNamed(unclaimedStream), unclaimedDecider)],
  processes: [{ manager: unclaimedProcess }],
};
