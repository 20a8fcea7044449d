import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { calendarEventEvents } from './calendar-event.events.ts';

/** What other services hear of an event: drafts by what is sold and counted of them, public ones with all that is public. */
export function calendarEventFact(recorded: RecordedEvent): FactOf<'content'> | undefined {
  if (!recorded.stream.startsWith('event_')) return undefined;
  const event = upcast(calendarEventEvents, recorded);
  const event_id = recorded.stream;
  switch (event.type) {
    case 'EventCreated':
    case 'EventCapacityChanged':
      return { type: event.type, data: { event_id, capacity: event.data.capacity } };
    case 'EventRescheduled':
    case 'EventShown':
      return { type: event.type, data: { event_id, ...event.data } } as FactOf<'content'>;
    case 'EventChanged':
    case 'EventSlugChanged':
      return { type: 'EventChanged', data: { event_id } };
    case 'EventPublished':
    case 'EventCanceled':
    case 'EventDeleted':
      return { type: event.type, data: { event_id } };
    case 'FileReferenced':
    case 'FileReleased':
      return undefined;
  }
}
