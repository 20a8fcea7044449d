import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { courseProjection } from '../courses/known-courses.ts';
import { memberProjection } from '../members/known-members.ts';
import { enrollmentEvents } from './enrollment.events.ts';
import { expiryProcess } from './enrollment.expiry.ts';
import { enrollmentFact } from './enrollment.facts.ts';
import { ownEnrollmentOperations } from './enrollment.own.ts';
import { enrollmentProjection, studentProjection } from './enrollment.rows.ts';
import { enrollmentDecider } from './enrollment.ts';

/** Who has access to which course, and why; everybody reads and begins their own. */
export const enrollmentSlice: Slice = {
  name: 'enrollments',
  operations: ownEnrollmentOperations,
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
