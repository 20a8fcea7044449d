import { type PersonalData, type Slice, aggregate, rowsAbout, streamsOf } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { productAccessEvents } from './product-access.events.ts';
import { productAccessFact } from './product-access.facts.ts';
import { productAccessOf, productAccessProjection, productAccesses } from './product-access.rows.ts';
import { productAccessDecider } from './product-access.ts';

/** The digital products that a person may download, or could, and by what. */
const productData: PersonalData<Ports> = {
  file: 'digital-products',
  read: (of, ports, after) =>
    rowsAbout(ports, of, { collection: productAccesses, field: 'member_id' }, after, ({ id, body }) => {
      const { member_id: _self, version: _version, ...access } = productAccessOf(body);
      return { id, ...access };
    }),
};

/** Who has access to which digital product, why, and how often they downloaded it. */
export const productAccessSlice: Slice = {
  name: 'product-access',
  operations: [],
  events: productAccessEvents,
  aggregates: [aggregate(streamsOf('product_access_'), productAccessDecider)],
  projections: [productAccessProjection],
  toFact: productAccessFact,
  personalData: [productData],
};
