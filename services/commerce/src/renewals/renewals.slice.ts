import type { Slice } from '@lyceum/service';
import type { CommerceServicePorts } from '../ports/commerce-ports.ts';
import type { CommerceSettings } from '../ports/commerce-settings.ts';
import { renewalProcess } from './renewals.ts';

/** What follows from subscriptions by themselves: renewals, tries, ends, and what their orders lead to. */
export const renewalSlice: Slice<CommerceSettings, CommerceServicePorts> = {
  name: 'renewals',
  operations: [],
  processes: [{ manager: renewalProcess }],
};
