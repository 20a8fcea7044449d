import { z } from 'zod';
import { published } from '../declaration.ts';

const post = z.object({ post_id: z.string() });

/** What everybody may know of a published post. `visibility`: whom its text is for, public, members or plans. */
const shown = post.extend({ slug: z.string(), title: z.string(), visibility: z.string() });

const staff = (means: string) => ({ feed: { scope: 'posts:read', shows: 'staff', means } }) as const;
const everyone = (means: string) =>
  ({ feed: { scope: 'posts:read', shows: 'everyone', means }, offer: 'post' }) as const;

/** What becomes of posts. */
export const postFacts = {
  PostCreated: published(1, post, staff('There is a new post, a draft')),
  PostChanged: published(1, post, staff('The draft of a post was changed')),
  PostScheduled: published(
    1,
    post.extend({ scheduled_for: z.string().nullable().meta({ description: 'RFC 3339; null = it was called off' }) }),
    staff('A post is to be published at a time, or no longer'),
  ),
  PostPublished: published(1, shown.extend({ revision: z.number().int() }), everyone('A revision of a post is public')),
  /** A public post has another slug, is pinned or not, or people may comment on it or no longer. */
  PostShown: published(1, shown, everyone('A public post looks like this')),
  PostUnpublished: published(1, post, everyone('A post is public no longer')),
  PostPinned: published(1, post, staff('A post stands before the others')),
  PostUnpinned: published(1, post, staff('A post stands among the others')),
  PostArchived: published(1, post, everyone('A post was put away for good')),
  PostDeleted: published(1, post, staff('A post that was never public was deleted')),
} as const;
