import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { curriculumEvents } from './curriculum.events.ts';
import { curriculumFact } from './curriculum.facts.ts';
import { type CurriculumPorts, curriculumOperations } from './curriculum.http.ts';
import { curriculumDecider } from './curriculum.ts';
import { nobodyEntitled } from '../lessons/entitlement.ts';

/** What courses teach: sections, lessons, and when they open. */
export const curriculumSlice = (given: Omit<CurriculumPorts, 'entitled'>): Slice => ({
  name: 'curriculum',
  operations: curriculumOperations({ ...given, entitled: nobodyEntitled }),
  events: curriculumEvents,
  aggregates: [aggregate(streamsOf('curriculum_'), curriculumDecider)],
  toFact: curriculumFact,
});
