import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { publicationProcess } from '../publication/publication.process.ts';
import { makingSystemPages } from './page.defaults.ts';
import { pageEvents } from './page.events.ts';
import { pageFact } from './page.facts.ts';
import { pageOperations, pages } from './page.http.ts';
import { pageDecider } from './page.ts';

/** Pages of schools. */
export const pageSlice: Slice = {
  name: 'pages',
  operations: pageOperations,
  events: pageEvents,
  aggregates: [aggregate(streamsOf('page_'), pageDecider)],
  projections: [pages.projection],
  toFact: pageFact,
  reactions: [makingSystemPages],
  processes: [{ manager: publicationProcess({ noun: 'page', decider: pageDecider }) }],
};
