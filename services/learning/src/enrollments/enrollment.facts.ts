import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { enrollmentEvents } from './enrollment.events.ts';

/** What other services hear of an enrollment: all of it, for it names nobody but by id. */
export function enrollmentFact(recorded: RecordedEvent): FactOf<'learning'> | undefined {
  if (!recorded.stream.startsWith('enrollment_')) return undefined;
  const enrollment_id = recorded.stream;
  const event = upcast(enrollmentEvents, recorded);
  switch (event.type) {
    case 'AccessGranted':
      return { type: event.type, data: { enrollment_id, ...item(event.data) } };
    case 'AccessExtended':
      return { type: event.type, data: { enrollment_id, ...item(event.data) } };
    case 'AccessRevoked':
      return { type: event.type, data: { enrollment_id, ...item(event.data) } };
    case 'SeatRequested': {
      const { request_id, member_id } = event.data;
      return { type: event.type, data: { ...seated(event.data), request_id, member_id } };
    }
    case 'SeatReturned': {
      const { request_id } = event.data;
      return { type: event.type, data: { ...seated(event.data), request_id } };
    }
    case 'EnrollmentActivated':
      return { type: event.type, data: { enrollment_id, ...event.data } };
    case 'EnrollmentLapsed':
      return { type: event.type, data: { enrollment_id, ...event.data } };
    case 'LessonStarted': {
      const { position_s: _position, ...data } = event.data;
      return { type: event.type, data: { enrollment_id, ...data } };
    }
    case 'LessonCompleted': {
      const { position_s: _position, ...data } = event.data;
      return { type: event.type, data: { enrollment_id, ...data } };
    }
    case 'EnrollmentCompleted':
      return { type: event.type, data: { enrollment_id, ...event.data } };
    case 'ProgressReset':
      return { type: event.type, data: { enrollment_id, ...event.data } };
    default:
      return undefined;
  }
}

/** What a seat is in. */
const seated = ({ course_id }: { readonly course_id: string }) => ({ item_type: 'course', item_id: course_id });

/** Grants are of items, of which courses are one kind. */
const item = <Data extends { readonly course_id: string }>({ course_id, ...data }: Data) => ({
  ...data,
  item_type: 'course',
  item_id: course_id,
});
