import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { curriculumEvents } from './curriculum.events.ts';

/** What other services hear of a curriculum: outlines of published lessons, and how much they are. Nothing of drafts. */
export function curriculumFact(recorded: RecordedEvent): FactOf<'catalog'> | undefined {
  if (!recorded.stream.startsWith('curriculum_')) return undefined;
  const course_id = recorded.stream.replace(/^curriculum_/, 'course_');
  const event = upcast(curriculumEvents, recorded);
  switch (event.type) {
    case 'LessonPublished':
      return { type: 'LessonPublished', data: { course_id, lesson_id: event.data.lesson_id, ...event.data.outline } };
    case 'LessonChanged': {
      const { lesson_id, outline } = event.data;
      return outline && { type: 'LessonChanged', data: { course_id, lesson_id, ...outline } };
    }
    case 'LessonUnpublished':
    case 'LessonRemoved':
      return { type: event.type, data: { course_id, lesson_id: event.data.lesson_id } };
    case 'CurriculumTotalled':
      return { type: 'CurriculumTotalled', data: { course_id, ...event.data } };
    default:
      return undefined;
  }
}
