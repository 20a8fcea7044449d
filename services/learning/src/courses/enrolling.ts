import { isoTime } from '@lyceum/kernel';
import { Problem } from '@lyceum/web';
import type { KnownCourse } from './known-courses.ts';

const day = 86_400_000;

/** When access to a course that begins now ends: as the course says. Times are RFC 3339 UTC; null = never. */
export const endOfAccess = ({ access_days }: Pick<KnownCourse, 'access_days'>, now: string): string | null =>
  access_days === null ? null : isoTime(Date.parse(now) + access_days * day);

/** Whether access that is given without an order waits for a seat. */
export const hasSeats = ({ seat_limit }: Pick<KnownCourse, 'seat_limit'>): boolean => seat_limit !== null;

const unknownCourse = () =>
  new Problem('validation_failed', 'There is no such course', {
    details: [{ path: 'course_id', code: 'unknown_course', message: 'must name a course' }],
  });

/** The course, for the staff to enroll somebody in. Throws the problem when it cannot be. */
export function enrollable(course: KnownCourse | undefined): KnownCourse {
  if (!course || course.status === 'draft') throw unknownCourse();
  if (course.status === 'archived') throw new Problem('invalid_state', 'The course was put away for good');
  return course;
}

/** The course, for a member to enroll in alone. Throws the problem when that is not for them to do. */
export function enrollableAlone(course: KnownCourse | undefined, now: string): KnownCourse {
  if (course?.status !== 'published') throw unknownCourse();
  const { access, opens_at, closes_at } = course;
  if (access !== 'free' && access !== 'open') throw new Problem('not_entitled', 'This course is not free');
  if (opens_at !== null && now < opens_at) throw new Problem('invalid_state', 'Enrollment has not opened yet');
  if (closes_at !== null && now >= closes_at) throw new Problem('invalid_state', 'Enrollment has closed');
  return course;
}
