import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { curriculumEvents } from './curriculum.events.ts';
import { curriculumFact } from './curriculum.facts.ts';
import { type CurriculumPorts, curriculumOperations } from './curriculum.http.ts';
import { curriculumDecider } from './curriculum.ts';
import { completionProjection } from '../lessons/completions.ts';
import { accessProjection } from '../lessons/entitlement.ts';

/** What courses teach: sections, lessons, and when they open. */
export const curriculumSlice = (given: CurriculumPorts): Slice => ({
  name: 'curriculum',
  operations: curriculumOperations(given),
  events: curriculumEvents,
  follows: [
    { source: 'learning', projection: accessProjection },
    { source: 'learning', projection: completionProjection },
  ],
  aggregates: [aggregate(streamsOf('curriculum_'), curriculumDecider)],
  toFact: curriculumFact,
});
