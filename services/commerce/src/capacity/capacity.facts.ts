import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { capacityEvents } from './capacity.events.ts';

/** What other services hear of the seats of an item: those that are taken, and those that are free again. */
export function capacityFact(recorded: RecordedEvent): FactOf<'commerce'> | undefined {
  if (!recorded.stream.startsWith('capacity_')) return undefined;
  const event = upcast(capacityEvents, recorded);
  if (event.type !== 'SeatTaken' && event.type !== 'SeatReleased') return undefined;
  return { type: event.type, data: event.data };
}
