import type { Slice } from '@lyceum/service';
import { planAccessReactions } from './plan-access.reactions.ts';
import { planAccessProjection } from './plan-access.rows.ts';
import { publicItemsProjection } from './public-items.ts';

/** That members have what their plan opens. */
export const planAccessSlice: Slice = {
  name: 'plan-access',
  operations: [],
  follows: [
    { source: 'commerce', projection: planAccessProjection },
    { source: 'catalog', projection: publicItemsProjection },
  ],
  reactions: planAccessReactions,
  // Subscriptions are told by the commerce service, and what they open stands among enrollments and digital products.
  personalData: [],
};
