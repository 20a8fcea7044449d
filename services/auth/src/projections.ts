import type { Projected } from '@lyceum/runtime';
import { clientProjections } from './domain/clients/client.projection.ts';
import { memberProjection } from './school-projections/member.projection.ts';
import { ownProjections } from './domain/account-projections.ts';

/** The read models of the authorization server. */
export const projected: readonly Projected[] = [
  { projections: [...ownProjections, ...clientProjections] },
  { follows: [{ projection: memberProjection }] },
];
