import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { publicationProcess } from '../publication/publication.process.ts';
import { afterSystemPages } from './page.defaults.ts';
import { pageEvents } from './page.events.ts';
import { pageFact } from './page.facts.ts';
import { pageOperations, pages } from './page.http.ts';
import { pageDecider } from './page.ts';

/** Pages of schools. */
export const pageSlice: Slice = {
  name: 'pages',
  operations: pageOperations.map((each) => afterSystemPages(pages.projection.collection, each)),
  events: pageEvents,
  aggregates: [aggregate(streamsOf('page_'), pageDecider)],
  projections: [pages.projection],
  toFact: pageFact,
  processes: [{ manager: publicationProcess({ noun: 'page', decider: pageDecider }) }],
};
