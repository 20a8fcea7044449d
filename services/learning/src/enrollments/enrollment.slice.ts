import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { courseProjection, courseProjectionBefore } from '../courses/known-courses.ts';
import { outlineProjection } from '../courses/known-outlines.ts';
import { memberProjection } from '../members/known-members.ts';
import { schoolProjection } from '../schools/known-schools.ts';
import { enrollmentEvents } from './enrollment.events.ts';
import { expiryProcess } from './enrollment.expiry.ts';
import { enrollmentFact } from './enrollment.facts.ts';
import { personalEnrollmentData } from './enrollment.personal.ts';
import { enrollmentProjection, enrollmentProjectionBefore } from './enrollment.rows.ts';
import { enrollmentDecider } from './enrollment.ts';

/** Who has access to which course, why, and what they learnt there. */
export const enrollmentSlice: Slice = {
  name: 'enrollments',
  operations: [],
  events: enrollmentEvents,
  aggregates: [aggregate(streamsOf('enrollment_'), enrollmentDecider)],
  projections: [enrollmentProjection],
  previousProjections: [enrollmentProjectionBefore, courseProjectionBefore],
  follows: [
    { source: 'school', projection: memberProjection },
    { source: 'school', projection: schoolProjection },
    { source: 'catalog', projection: courseProjection },
    { source: 'catalog', projection: outlineProjection },
  ],
  toFact: enrollmentFact,
  processes: [{ manager: expiryProcess }],
  personalData: personalEnrollmentData,
};
