import type { Projection } from '@lyceum/documents';
import { grantProjection } from './grants/grant.projection.ts';
import { sessionProjection } from './sessions/session.projection.ts';

/** The read models behind a person's own lists. */
export const ownProjections: readonly Projection[] = [grantProjection, sessionProjection];
