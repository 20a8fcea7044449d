import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { type CourseEvent, courseEvents } from './course.events.ts';

/** What other services hear of a course: what it is while it is public, and that it is not any more. Nothing else crosses. */
export function courseFact(recorded: RecordedEvent): FactOf<'catalog'> | undefined {
  if (!recorded.stream.startsWith('course_')) return undefined;
  const event = upcast(courseEvents, recorded) as CourseEvent;
  const course_id = recorded.stream;
  switch (event.type) {
    case 'CoursePublished':
      return { type: 'CoursePublished', data: { course_id, ...event.data } };
    case 'CourseShown':
      return { type: 'CourseShown', data: { course_id, ...event.data } };
    case 'CourseUnpublished':
    case 'CourseArchived':
      return { type: event.type, data: { course_id } };
    default:
      return undefined;
  }
}
