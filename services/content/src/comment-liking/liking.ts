import { type Collection, type Document, type Documents, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { likeEvents } from '../comment-likes/like.events.ts';
import { likeStream } from '../comment-likes/like.ts';

/** Who likes what. */
export const likes: Collection = { name: 'comment_likes', version: 1, fields: { member_id: 'text' } };

const likeCounts: Collection = { name: 'comment_like_counts', version: 1, fields: {} };

interface CountRow {
  readonly count: number;
}

const isLike = ({ stream }: { readonly stream: string }): boolean => stream.startsWith('like_');

/** Keeps which comments each member likes. Of an erased member nothing is kept; the number of likes stays. */
export const likeProjection: Projection = {
  collection: likes,
  key: (event) => (isLike(event) ? event.stream : undefined),
  project(event): Document | null {
    const { type, data } = upcast(likeEvents, event);
    return type === 'CommentLiked' ? { ...data } : null;
  },
  erase: { documents: { field: 'member_id' } },
};

/** What a member likes, for the export of their data. */
export const likedOf = (row: Document): object => ({ comment_id: row['comment_id'] });

/** Counts the likes of each comment. */
export const likeCountProjection: Projection = {
  collection: likeCounts,
  key: (event) => (isLike(event) ? upcast(likeEvents, event).data.comment_id : undefined),
  project(event, before): Document | null {
    const { type } = upcast(likeEvents, event);
    const count = (rowAs<CountRow>(before)?.count ?? 0) + (type === 'CommentLiked' ? 1 : -1);
    return count === 0 ? null : { count };
  },
};

/** How comments are liked: how often, and by whom who reads them. */
export interface Liking {
  countOf(comment: string): number;
  isLiked(comment: string): boolean;
}

/** How at most 100 comments are liked, as far as the read models have it. */
export async function likingOf(
  { documents }: { readonly documents: Pick<Documents, 'query'> },
  school: string,
  comments: readonly string[],
  member: string | undefined,
): Promise<Liking> {
  const found = (collection: Collection, ids: readonly string[]) =>
    ids.length === 0
      ? { items: [] }
      : documents.query(collection, school, { where: [{ field: 'id', in: ids }], limit: ids.length });
  const streams = member === undefined ? [] : comments.map((comment) => likeStream(comment, member));
  const [counts, own] = await Promise.all([found(likeCounts, comments), found(likes, streams)]);
  const counted = new Map(counts.items.map(({ id, body }) => [id, rowAs<CountRow>(body).count]));
  const liked = new Set(own.items.map(({ id }) => id));
  return {
    countOf: (comment) => counted.get(comment) ?? 0,
    isLiked: (comment) => member !== undefined && liked.has(likeStream(comment, member)),
  };
}
