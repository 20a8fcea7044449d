import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { capacityEvents } from './capacity.events.ts';

/** What other services hear of the seats of an item: those that are taken, those that are free again, and how many there are. */
export function capacityFact(recorded: RecordedEvent): FactOf<'commerce'> | undefined {
  if (!recorded.stream.startsWith('capacity_')) return undefined;
  const event = upcast(capacityEvents, recorded);
  // What is held becomes an order, or is released.
  return event.type === 'SeatHeld' ? undefined : event;
}
