import type { Projected } from '@lyceum/runtime';
import { clientProjections } from './clients/client-rows.ts';
import { memberProjection } from './members/member.projection.ts';
import { ownProjections } from './self/own-projections.ts';

/** The read models of the authorization server. */
export const projected: readonly Projected[] = [
  { projections: [...ownProjections, ...clientProjections] },
  { follows: [{ projection: memberProjection }] },
];
