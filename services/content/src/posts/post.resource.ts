import { type Document, rowAs } from '@lyceum/documents';
import { type Asking, addressed, authors, resource, viewOfOwn } from '@lyceum/service';
import { type StatusTable, memoized } from '@lyceum/web';
import { commentCounts } from '../comment-counts/comment-count.ts';
import { knownContent, publicationStatuses } from '../publication/publication.state.ts';
import { postForMember } from './post.entitlement.ts';
import { type PostReply, postItem, postReply } from './post.schema.ts';
import type { Post } from './post.state.ts';
import { type PostCode, postDecider, postSlug } from './post.ts';
import { type PostRow, postDocument, postRow } from './post.view.ts';

/** The post of a row. */
const postOfRow = (row: Document): Post => {
  const { front: _front, visibility: _visibility, tags: _tags, ...post } = rowAs<PostRow & Document>(row);
  return post;
};

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const postRejections = {
  not_found: 404,
  slug_taken: 409,
  in_past: 409,
  invalid_state: 409,
} as const satisfies StatusTable<PostCode>;

const viewOf = (asking: Asking, { created_by }: Pick<Post, 'created_by'>) =>
  viewOfOwn(asking, created_by === asking.principal?.subject);

const withCover = addressed('cover');

/** A post with the whole addresses of its covers. */
const postAddressed = memoized(
  (shown: Pick<PostReply, 'cover'> & Partial<Pick<PostReply, 'draft'>>, issuer: string) => {
    const { draft } = shown;
    return { ...withCover(shown, issuer), ...(draft ? { draft: withCover(draft, issuer) } : {}) };
  },
);

/** Posts: published ones are everybody's, though not their text; lecturers see and change all of their own. */
export const posts = resource({
  noun: 'post',
  path: '/api/posts',
  area: 'posts',
  decider: postDecider,
  present: (state): Post | null => state,
  slugs: postSlug,
  statuses: postRejections,
  access: {
    writers: authors,
    refusal: 'This post is not one of yours',
    viewer: (asking) => asking,
    viewOf,
    mayKnow: (asking, post) => post.status === 'published' || viewOf(asking, post) === 'staff',
    rows({ principal, view }) {
      const published = [{ field: 'status', is: 'published' }];
      if (view !== 'staff' || !principal) return [published];
      return principal.role === 'lecturer' ? [published, [{ field: 'created_by', is: principal.subject }]] : [[]];
    },
  },
  reply: postReply,
  item: postItem,
  document: postDocument,
  addressed: (shown, issuer) => postAddressed(shown, issuer) as typeof shown,
  forMember: postForMember,
  async alongside({ documents }, school, id) {
    return { comment_count: (await commentCounts({ documents }, school, [id])).get(id) ?? 0 };
  },
  list: {
    name: 'posts',
    version: 1,
    fields: {
      status: 'text',
      visibility: 'text',
      tags: 'set',
      created_by: 'text',
      front: 'text',
      published_at: 'text',
    },
    statuses: publicationStatuses,
    texts(post) {
      const { title, excerpt, tags } = knownContent(post);
      return [title, excerpt, ...tags];
    },
    row: postRow,
    thing: postOfRow,
  },
});
