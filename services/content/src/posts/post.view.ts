import type { View } from '@lyceum/web';
import { knownContent } from '../publication/publication.state.ts';
import { publicationShown } from '../publication/publication.view.ts';
import { imageShown } from '../values/image-address.ts';
import type { PostContent } from './post.events.ts';
import type { PostReply } from './post.schema.ts';
import type { Post } from './post.state.ts';

type StaffField =
  | 'draft'
  | 'status'
  | 'scheduled_for'
  | 'unpublished_changes'
  | 'revisions'
  | 'plan_ids'
  | 'pinned'
  | 'comments_enabled';
type Shown = Omit<PostReply, StaffField | 'comment_count'> & Partial<Pick<PostReply, StaffField>>;

const coverOf = ({ cover }: PostContent): string | null => (cover === null ? null : imageShown(cover));

/** Whether the text is for others than those who have this view: of plans it shows only with the plan. */
const isLocked = ({ visibility }: PostContent, view: View): boolean =>
  view !== 'staff' && visibility !== 'public' && (view === 'anonymous' || visibility === 'plans');

const forStaff = (post: Post) => {
  const { plan_ids, ...draft } = post.draft;
  return {
    ...publicationShown(post),
    plan_ids: [...knownContent(post).plan_ids],
    pinned: post.pinned,
    comments_enabled: post.comments_enabled,
    draft: { ...draft, plan_ids, cover: coverOf(post.draft) },
  };
};

/** A post as a view shows it. What only the staff see is absent from the others, not null. */
export function postDocument(post: Post, view: View): Shown {
  const { id, slug, published_at, created_at, updated_at, version } = post;
  const content = knownContent(post);
  const { title, excerpt, author_id, tags, visibility, plan_ids, body } = content;
  const locked = isLocked(content, view);
  return {
    id,
    object: 'post',
    title,
    slug,
    excerpt,
    cover: coverOf(content),
    author_id,
    tags: [...tags],
    visibility,
    locked,
    unlock: locked && visibility === 'plans' ? [...plan_ids] : [],
    ...(locked ? {} : { body }),
    published_at,
    ...(view === 'staff' ? forStaff(post) : {}),
    created_at,
    updated_at,
    version,
    view,
  };
}

const latest = 9_999_999_999_999;

/** What lists begin with: those that are pinned, then the newest. */
function frontOf({ pinned, published_at, created_at }: Post): string {
  const age = latest - Date.parse(published_at ?? created_at);
  return `${pinned ? 0 : 1}/${String(age).padStart(13, '0')}`;
}

const withoutBody = (content: PostContent): PostContent => ({ ...content, body: [] });

/** A post in the read model: without its text, and with what lists filter by. */
export interface PostRow extends Post {
  readonly front: string;
  readonly visibility: string;
  readonly tags: readonly string[];
}

/** The row of a post. */
export const postRow = (post: Post): PostRow => {
  const { visibility, tags } = knownContent(post);
  return {
    ...post,
    draft: withoutBody(post.draft),
    revisions: post.revisions.map((each) => ({ ...each, content: withoutBody(each.content) })),
    front: frontOf(post),
    visibility,
    tags,
  };
};
