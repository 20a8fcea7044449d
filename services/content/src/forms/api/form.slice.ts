import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { formEvents } from '../form.events.ts';
import { formFact } from '../form.facts.ts';
import { formOperations } from './form.http.ts';
import { formProjection } from './form.rows.ts';
import { formStream } from '../form.ts';

/** What visitors fill in: forms live exactly while a published page shows them. */
export const formSlice: Slice = {
  name: 'forms',
  operations: formOperations,
  events: formEvents,
  aggregates: [aggregate(streamsOf('form_'), formStream)],
  projections: [formProjection],
  toFact: formFact,
};
