import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { schoolProjection, schoolProjectionBefore } from '../schools/known-schools.ts';
import { teaching } from '../teaching/teaching.ts';
import { priceFact } from '../values/prices.ts';
import { courseEvents } from './course.events.ts';
import { answerCertificateOfCourse, answerCoursesOfLecturer, answerNameable } from './course.for-areas.ts';
import type { CourseFields } from './course.fields.ts';
import { type CoursePorts, courseOperations } from './course.http.ts';
import { courseProjection } from './course.resource.ts';
import { courseDecider } from './course.ts';

type Changed<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

type Period = Pick<CourseFields, 'enrollment_opens_at' | 'enrollment_closes_at' | 'presale_opens_at'>;

/** When people may enroll or buy, as far as a creation or a change says so. */
function enrollmentPeriod(
  course_id: string,
  { enrollment_opens_at: opens_at, enrollment_closes_at: closes_at, presale_opens_at }: Changed<Period>,
): FactOf<'catalog'> | undefined {
  if (opens_at === undefined && closes_at === undefined && presale_opens_at === undefined) return undefined;
  const data = {
    course_id,
    ...(opens_at === undefined ? {} : { opens_at }),
    ...(closes_at === undefined ? {} : { closes_at }),
    ...(presale_opens_at === undefined ? {} : { presale_opens_at }),
  };
  return { type: 'EnrollmentPeriodSet', data };
}

/**
 * What other services hear of a course: what it is while it is public, and that it is not any more. Of drafts too: prices,
 * seats and who teaches, which those who sell and teach it keep books of. Nothing else crosses.
 */
function courseFact(recorded: RecordedEvent, at: string): FactOf<'catalog'> | undefined {
  if (!recorded.stream.startsWith('course_')) return undefined;
  const event = upcast(courseEvents, recorded);
  const course_id = recorded.stream;
  switch (event.type) {
    case 'CourseCreated': {
      const { enrollment_opens_at: opens, enrollment_closes_at: closes, presale_opens_at: presale } = event.data.fields;
      const isBound = opens !== null || closes !== null || presale !== null;
      return isBound ? enrollmentPeriod(course_id, event.data.fields) : undefined;
    }
    case 'CourseChanged':
      return enrollmentPeriod(course_id, event.data.fields);
    case 'CoursePublished':
      return { type: 'CoursePublished', data: { course_id, ...event.data } };
    case 'CourseShown':
      return { type: 'CourseShown', data: { course_id, ...event.data } };
    case 'CourseUnpublished':
    case 'CourseArchived':
      return { type: event.type, data: { course_id, ...event.data } };
    case 'PriceSet':
    case 'PriceRemoved':
      return priceFact({ item_type: 'course', item_id: course_id }, event, at);
    case 'SeatLimitChanged':
      return { type: 'SeatLimitChanged', data: { course_id, ...event.data } };
    case 'LecturerAssigned':
    case 'LecturerUnassigned':
      return { type: event.type, data: { course_id, ...event.data } };
    default:
      return undefined;
  }
}

/** Courses: authoring and the public catalogue. */
export const courseSlice = (given: CoursePorts): Slice => ({
  name: 'courses',
  operations: courseOperations(given),
  projections: [courseProjection],
  follows: [{ source: 'school', projection: schoolProjection }],
  previousProjections: [schoolProjectionBefore],
  toFact: courseFact,
  answers: {
    'courses-of-lecturer': answerCoursesOfLecturer,
    'certificate-of-course': answerCertificateOfCourse,
    nameable: answerNameable,
  },
  aggregates: [aggregate(streamsOf('course_'), courseDecider), aggregate(streamsOf('teaching_'), teaching)],
});
