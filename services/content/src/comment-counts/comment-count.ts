import { type Collection, type Document, type Documents, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { type CommentEvent, commentEvents } from '../comments/comment.events.ts';

/** How many comments on each host everybody finds who may read it. */
const counts: Collection = { name: 'comment_counts', version: 1, fields: {} };

interface CountRow {
  readonly count: number;
}

const step = (was: string, is: string): number => Number(is === 'visible') - Number(was === 'visible');

/** By how much an event changes the number of visible comments of its host. */
function changeOf({ type, data }: CommentEvent): number {
  switch (type) {
    case 'CommentPosted':
      return step('', data.state);
    case 'CommentEdited':
      return step(data.was, data.state);
    case 'CommentApproved':
    case 'CommentRestored':
      return 1;
    case 'CommentHidden':
      return -1;
    case 'CommentMarkedSpam':
    case 'CommentDeleted':
      return step(data.was, '');
    case 'CommentReported':
      return data.held ? -1 : 0;
  }
}

/** Counts the visible comments of each host. */
export const countProjection: Projection = {
  collection: counts,
  key(event) {
    if (!event.stream.startsWith('comment_')) return undefined;
    return upcast(commentEvents, event).data.host_id;
  },
  project(event, before): Document | null {
    const count = (rowAs<CountRow>(before)?.count ?? 0) + changeOf(upcast(commentEvents, event));
    return count === 0 ? null : { count };
  },
};

/** How many visible comments each of at most 100 hosts has, as far as the read model has them; those with none are left out. */
export async function commentCounts(
  { documents }: { readonly documents: Pick<Documents, 'query'> },
  school: string,
  hosts: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (hosts.length === 0) return new Map();
  const where = [{ field: 'id', in: hosts }];
  const { items } = await documents.query(counts, school, { where, limit: hosts.length });
  return new Map(items.map(({ id, body }) => [id, rowAs<CountRow>(body).count]));
}
