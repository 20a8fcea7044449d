import { z } from 'zod';
import { published } from '../declaration.ts';

const about = {
  comment_id: z.string(),
  host_type: z.string().meta({ description: 'What it is about: post, lesson or course' }),
  host_id: z.string(),
  public: z.literal(true).optional().meta({ description: 'Everybody could read the comment before, or can now' }),
};
const comment = z.object(about);

const shown = (means: string) =>
  ({ feed: { scope: 'comments:read', shows: 'comment', means, of: 'comment_id' } }) as const;

/** What becomes of comments on posts, lessons and courses: nothing of what they say is in it. */
export const commentFacts = {
  CommentPosted: published(
    1,
    z.object({
      ...about,
      parent_id: z.string().nullable().meta({ description: 'The comment that it answers; null = none' }),
      author_ref: z.string().meta({ description: 'The id of the member who wrote it' }),
      state: z.string().meta({ description: 'visible, pending or spam' }),
    }),
    shown('A member commented on something'),
  ),
  CommentEdited: published(
    1,
    z.object({
      ...about,
      state: z.string().optional().meta({ description: 'How it was judged; left out = a release before does not say' }),
    }),
    shown('A member changed a comment'),
  ),
  CommentApproved: published(1, comment, shown('A comment is public after it was looked at')),
  CommentHidden: published(1, comment, shown('A comment was hidden')),
  CommentRestored: published(1, comment, shown('A comment that was hidden is public again')),
  CommentMarkedSpam: published(1, comment, shown('A comment is spam')),
  /** Other comments that answer it stay. */
  CommentDeleted: published(1, comment, shown('A comment was deleted')),
  CommentReported: published(
    1,
    z.object({ ...about, held: z.boolean().meta({ description: 'So many did that it waits for the staff' }) }),
    shown('A member reported a comment'),
  ),
} as const;
