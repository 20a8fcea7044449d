import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { commentEvents } from '../comment.events.ts';
import { type Comment, evolve } from '../comment.state.ts';

/** The read model behind lists of comments. */
export const comments: Collection = {
  name: 'comments',
  version: 1,
  fields: {
    host_id: 'text',
    course_id: 'text',
    parent_id: 'text',
    author_id: 'text',
    state: 'text',
    /** Whether whoever may read the host finds it: what is visible, and the place of what was. */
    is_listed: 'boolean',
    created_at: 'text',
    updated_at: 'text',
  },
};

/** The comment of a row. */
export function commentOf(row: Document): Comment {
  const { is_listed: _listed, ...comment } = rowAs<Comment & { readonly is_listed: boolean }>(row);
  return comment;
}

const isListed = ({ state, wasSeen }: Comment): boolean => state === 'visible' || (state === 'deleted' && wasSeen);

/** Folds the events of each comment into its row. Of an erased member what was written goes at once, the thread stays. */
export const commentProjection: Projection = {
  collection: comments,
  key: ({ stream }) => (stream.startsWith('comment_') ? stream : undefined),
  project(event, before): Document | null {
    const { at, version } = event;
    const next = evolve(before ? commentOf(before) : null, upcast(commentEvents, event), { at, version });
    return next && { ...next, is_listed: isListed(next) };
  },
  erase: { documents: { field: 'author_id' }, forget: (body) => ({ ...body, body: null, ip_hash: null }) },
};
