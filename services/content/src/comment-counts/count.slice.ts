import type { Slice } from '@lyceum/service';
import { countProjection } from './comment-count.ts';

/** How many comments there are on things. */
export const countSlice: Slice = {
  name: 'comment-counts',
  operations: [],
  projections: [countProjection],
};
