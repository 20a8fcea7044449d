import type { Projection } from '@lyceum/documents';

/** The part of a slice that is projected. */
export interface Projected {
  readonly projections?: readonly Projection[];
  /** Those of the release before whose version has changed since: lists stay fresh while the new one is built. */
  readonly previousProjections?: readonly Projection[];
  /** Read models over the facts of other services. */
  readonly follows?: readonly { readonly projection: Projection }[];
}
