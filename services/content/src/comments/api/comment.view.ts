import type { View } from '@lyceum/web';
import type { Liking } from '../../comment-liking/liking.ts';
import type { ShownPerson } from '../../people/people.ts';
import { type Comment, isGone } from '../comment.state.ts';

/** What a comment is shown with. */
export interface Showing {
  readonly people: ReadonlyMap<string, ShownPerson>;
  readonly liking: Liking;
  /** Who reads it; undefined = somebody without a token. */
  readonly reader: string | undefined;
}

const hostOf = ({ host_type: type, host_id: id }: Comment) => ({ type, id });

/** Its author is not told that it is taken for spam. */
const stateFor = ({ state }: Comment, isAuthors: boolean) => (isAuthors && state === 'spam' ? 'pending' : state);

/** A comment as a view shows it. What others see only is absent, not null. */
export function commentDocument(id: string, comment: Comment, view: View, { people, liking, reader }: Showing) {
  const { parent_id, author_id, body, edited_at, reports, log, spam_score, spam_signs, ip_hash } = comment;
  const { created_at, updated_at, version } = comment;
  const gone = isGone(comment);
  const mine = author_id === reader;
  return {
    id,
    object: 'comment',
    host: hostOf(comment),
    parent_id,
    author: gone ? null : (people.get(author_id) ?? null),
    body: gone ? null : body,
    state: gone ? 'deleted' : view === 'staff' ? comment.state : stateFor(comment, mine),
    edited_at,
    like_count: liking.countOf(id),
    ...(view === 'anonymous' ? {} : { liked: liking.isLiked(id), mine }),
    ...(view === 'staff'
      ? {
          author_id,
          reports: reports.map((each) => ({ ...each })),
          moderation_log: log.map((each) => ({ ...each })),
          spam_score,
          spam_signs: [...spam_signs],
          ip_hash: ip_hash ?? '',
        }
      : {}),
    created_at,
    updated_at,
    version,
    view,
  };
}

/** A comment for its author. */
export function ownDocument(id: string, comment: Comment, like_count: number) {
  const { parent_id, body, edited_at, created_at, updated_at, version } = comment;
  return {
    id,
    object: 'comment',
    host: hostOf(comment),
    parent_id,
    body: isGone(comment) ? null : body,
    state: stateFor(comment, true),
    edited_at,
    like_count,
    created_at,
    updated_at,
    version,
  };
}
