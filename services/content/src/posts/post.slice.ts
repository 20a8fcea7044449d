import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { publicationProcess } from '../publication/publication.process.ts';
import { postPlanProjection } from './post.plans.ts';
import { postEvents } from './post.events.ts';
import { postFact } from './post.facts.ts';
import { postOperations } from './post.http.ts';
import { posts } from './post.resource.ts';
import { postDecider } from './post.ts';

/** Posts of schools. */
export const postSlice: Slice = {
  name: 'posts',
  operations: postOperations,
  events: postEvents,
  aggregates: [aggregate(streamsOf('post_'), postDecider)],
  projections: [posts.projection],
  follows: [{ source: 'commerce', projection: postPlanProjection }],
  toFact: postFact,
  processes: [{ manager: publicationProcess({ noun: 'post', decider: postDecider }) }],
  // Who has which plan the commerce service tells; a post is the school's.
  personalData: [],
};
