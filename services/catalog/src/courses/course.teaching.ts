import type { EventBeside } from '@lyceum/kernel';
import { type CourseState, exists } from './course.state.ts';
import { teachingEvents } from '../teaching/teaching.events.ts';
import { teachingStream } from '../teaching/teaching.ts';

const countedOn = (course: CourseState): readonly string[] =>
  exists(course) && course.status === 'published' ? course.lecturer_ids : [];

/**
 * A course that begins to count on a lecturer says so beside the lecturer's profile, so that whoever ends the profile at
 * the same moment is told.
 */
export const taughtBeside = (before: CourseState, after: CourseState): readonly EventBeside[] =>
  countedOn(after)
    .filter((lecturer) => !countedOn(before).includes(lecturer))
    .map((lecturer) => ({
      stream: teachingStream(lecturer),
      type: 'CourseTaught',
      schema: teachingEvents.CourseTaught.version,
      data: { course_id: exists(after) ? after.id : '' },
    }));
