import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { productAccessEvents } from './product-access.events.ts';
import { productAccessFact } from './product-access.facts.ts';
import { productAccessProjection } from './product-access.rows.ts';
import { productAccessDecider } from './product-access.ts';

/** Who has access to which digital product, why, and how often they downloaded it. */
export const productAccessSlice: Slice = {
  name: 'product-access',
  operations: [],
  events: productAccessEvents,
  aggregates: [aggregate(streamsOf('product_access_'), productAccessDecider)],
  projections: [productAccessProjection],
  toFact: productAccessFact,
};
