import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { registrationEvents } from './registration.events.ts';

const item = (event_id: string) => ({ item_type: 'event', item_id: event_id });

/** What other services hear of a registration: which seats are asked for and returned, and what becomes of it. */
export function registrationFact(recorded: RecordedEvent): FactOf<'content'> | undefined {
  if (!recorded.stream.startsWith('registration_')) return undefined;
  const event = upcast(registrationEvents, recorded);
  const registration_id = recorded.stream;
  switch (event.type) {
    case 'SeatRequested': {
      const { event_id, ...request } = event.data;
      return { type: event.type, data: { ...item(event_id), ...request } };
    }
    case 'SeatReturned': {
      const { event_id, request_id } = event.data;
      return { type: event.type, data: { ...item(event_id), request_id } };
    }
    case 'RegistrationRequested':
    case 'RegistrationWaitlisted':
    case 'AttendeeCheckedIn':
      return { type: event.type, data: { registration_id, event_id: event.data.event_id } };
    case 'RegistrationConfirmed': {
      const { event_id, member_id, line_id } = event.data;
      return { type: event.type, data: { registration_id, event_id, member_id, ...(line_id ? { line_id } : {}) } };
    }
    case 'RegistrationCanceled': {
      const { event_id, member_id, reason, line_id } = event.data;
      const of = { registration_id, event_id, member_id, reason };
      return { type: event.type, data: { ...of, ...(line_id ? { line_id } : {}) } };
    }
    case 'SeatRefused':
    case 'RegistrationRescheduled':
      return undefined;
  }
}
