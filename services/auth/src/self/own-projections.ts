import type { Projection } from '@lyceum/documents';
import { grantProjection } from './grant-rows.ts';
import { sessionProjection } from './session-rows.ts';

/** The read models behind a person's own lists. */
export const ownProjections: readonly Projection[] = [grantProjection, sessionProjection];
