import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { productAccessProjection } from './product.entitlement.ts';
import { productEvents } from './product.events.ts';
import { productFact } from './product.facts.ts';
import { productOperations } from './product.http.ts';
import { products } from './product.http.ts';
import { answerOfferedProducts } from './product.answers.ts';
import { productDecider } from './product.ts';

/** What schools offer for download. */
export const productSlice: Slice = {
  name: 'digital_products',
  operations: productOperations,
  events: productEvents,
  aggregates: [aggregate(streamsOf('product_'), productDecider)],
  projections: [products.projection],
  toFact: productFact,
  follows: [{ source: 'learning', projection: productAccessProjection }],
  answers: { 'offered-products': answerOfferedProducts },
};
