import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { curriculumEvents } from './curriculum.events.ts';
import { curriculumFact } from './curriculum.facts.ts';
import { curriculumOperations } from './curriculum.http.ts';
import { nobodyEntitled } from './entitlement.ts';
import { curriculumDecider } from './curriculum.ts';

/** What courses teach: sections, lessons, and when they open. */
export const curriculumSlice: Slice = {
  name: 'curriculum',
  operations: curriculumOperations(nobodyEntitled),
  events: curriculumEvents,
  aggregates: [aggregate(streamsOf('curriculum_'), curriculumDecider)],
  cross: curriculumFact,
};
