import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { courseProjection } from '../courses/known-courses.ts';
import { memberProjection } from '../members/known-members.ts';
import { studentOperations } from '../students/student.http.ts';
import { enrollmentEvents } from './enrollment.events.ts';
import { expiryProcess } from './enrollment.expiry.ts';
import { enrollmentFact } from './enrollment.facts.ts';
import { ownEnrollmentOperations } from './enrollment.own.ts';
import { enrollmentProjection, studentProjection } from './enrollment.rows.ts';
import { enrollmentDecider } from './enrollment.ts';

/** Who has access to which course, and why: for the staff, and for everybody about themselves. */
export const enrollmentSlice: Slice = {
  name: 'enrollments',
  operations: (ports) => [...studentOperations(ports), ...ownEnrollmentOperations],
  events: enrollmentEvents,
  aggregates: [aggregate(streamsOf('enrollment_'), enrollmentDecider)],
  projections: [enrollmentProjection, studentProjection],
  follows: [
    { source: 'school', projection: memberProjection },
    { source: 'catalog', projection: courseProjection },
  ],
  toFact: enrollmentFact,
  processes: [{ manager: expiryProcess }],
};
