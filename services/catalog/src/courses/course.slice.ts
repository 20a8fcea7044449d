import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { schoolProjection } from '../schools/school-currency.ts';
import { teaching } from '../teaching/teaching.ts';
import { courseFact } from './course.facts.ts';
import { type CoursePorts, courseOperations } from './course.http.ts';
import { courseProjection } from './course.projection.ts';
import { courseDecider } from './course.ts';

/** Courses: authoring and the public catalogue. */
export const courseSlice = (given: CoursePorts): Slice => ({
  name: 'courses',
  operations: courseOperations(given),
  projections: [courseProjection],
  follows: [{ source: 'school', projection: schoolProjection }],
  cross: courseFact,
  aggregates: [aggregate(streamsOf('course_'), courseDecider), aggregate(streamsOf('teaching_'), teaching)],
});
