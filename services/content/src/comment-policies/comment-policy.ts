import type { FactOf } from '@lyceum/contracts';
import { type Collection, type Documents, type Projection, eventGuard, rowAs } from '@lyceum/documents';

const policies: Collection = { name: 'comment_policies', version: 1, fields: {} };
const only = 'school';

type SchoolFact = Extract<FactOf<'school'>, { type: 'SchoolChanged' }>;

/** Which comments wait for the staff: none, the first of each member, or all. */
export type CommentPolicy = NonNullable<SchoolFact['data']['comment_policy']>;

const isSchoolFact = eventGuard<SchoolFact>('SchoolChanged');

interface PolicyRow {
  readonly policy: CommentPolicy;
}

/** What the school service says about comments of a school. */
export const policyProjection: Projection = {
  collection: policies,
  key: (fact) => (isSchoolFact(fact) && fact.data.comment_policy !== undefined ? only : undefined),
  project: (fact, before) =>
    isSchoolFact(fact) && fact.data.comment_policy !== undefined
      ? { policy: fact.data.comment_policy }
      : (before ?? null),
};

/** The policy of a school: that of schools that never chose one, until another arrives. */
export async function commentPolicyOf(
  { documents }: { readonly documents: Pick<Documents, 'get'> },
  school: string,
): Promise<CommentPolicy> {
  return rowAs<PolicyRow>(await documents.get(policies, school, only))?.policy ?? 'first_time_held';
}
