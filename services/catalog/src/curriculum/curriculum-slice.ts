import type { Slice } from '@lyceum/runtime';
import { curriculumEvents } from './curriculum.events.ts';
import { curriculumFact } from './curriculum.facts.ts';
import { curriculumOperations } from './curriculum.http.ts';
import { nobodyEntitled } from './entitlement.ts';

/** What courses teach: sections, lessons, and when they open. */
export const curriculumSlice: Slice = {
  name: 'curriculum',
  operations: curriculumOperations(nobodyEntitled),
  events: curriculumEvents,
  cross: curriculumFact,
};
