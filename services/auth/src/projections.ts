import type { Projected } from '@lyceum/service';
import { clientProjections } from './domain/clients/client.projection.ts';
import { grantProjection } from './domain/grants/grant.projection.ts';
import { sessionProjection } from './domain/sessions/session.projection.ts';
import { memberProjection } from './school-projections/member.projection.ts';

/** The projections of the events of this service. */
export const ownProjections = [grantProjection, sessionProjection, ...clientProjections];

/** The read models of the authorization server. */
export const projected: readonly Projected[] = [
  { projections: ownProjections },
  { follows: [{ projection: memberProjection }] },
];
