import { same } from '@lyceum/kernel';
import type { Publication } from './publication.state.ts';

/** What the staff see of anything that is published. */
export const publicationShown = <Content>({ status, draft, revisions, scheduled_for }: Publication<Content>) => ({
  status,
  scheduled_for,
  unpublished_changes: !same(revisions[0]?.content, draft),
  revisions: revisions.map(({ content: _said, ...revision }) => revision),
});
