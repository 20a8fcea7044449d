import { Unavailable, fold } from '@lyceum/eventlog';
import type { Reaction, Slice } from '@lyceum/service';
import { arrivalEvents } from './arrival.events.ts';
import { arrivalDecider, arrivalStream } from './arrival.ts';

/** The arrival of schools from other installations. */
export const arrivalSlice: Slice = { name: 'arrival', operations: [], events: arrivalEvents };

/** The slice, whose reactions wait while a school is arriving: what follows may be among the commits still to come. */
export const onceArrived = (slice: Slice): Slice => ({ ...slice, reactions: (slice.reactions ?? []).map(waiting) });

const waiting = (reaction: Reaction): Reaction => ({
  ...reaction,
  async perform(event, ports, closing) {
    const { state } = await fold(ports.log, arrivalDecider, event.tenant, arrivalStream);
    if (state?.complete === false) throw new Unavailable('the school is still arriving');
    await reaction.perform(event, ports, closing);
  },
});
