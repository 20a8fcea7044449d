import { type EventLog, Unavailable, fold } from '@lyceum/eventlog';
import type { Slice } from '@lyceum/service';
import { arrivalEvents } from './arrival.events.ts';
import { arrivalDecider, arrivalStream } from './arrival.ts';

/** The arrival of schools from other installations. */
export const arrivalSlice: Slice = { name: 'arrival', operations: [], events: arrivalEvents };

/** Throws while a school is arriving. */
export async function arrived(school: string, { log }: { readonly log: EventLog }): Promise<void> {
  const { state } = await fold(log, arrivalDecider, school, arrivalStream);
  if (state?.complete === false) throw new Unavailable('the school is still arriving');
}
