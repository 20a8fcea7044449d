import type { Slice } from '@lyceum/service';
import type { CommerceServicePorts } from '../ports/commerce-ports.ts';
import type { CommerceSettings } from '../ports/commerce-settings.ts';
import { fulfilmentProcess } from './fulfilment.ts';
import { eventRefunds } from './refunding-events.ts';

/** What follows from an order by itself. */
export const fulfilmentSlice: Slice<CommerceSettings, CommerceServicePorts> = {
  name: 'fulfilment',
  operations: [],
  processes: [
    { manager: fulfilmentProcess, sources: ['learning', 'content'] },
    { manager: eventRefunds, sources: ['content'], takesOwn: false },
  ],
};
