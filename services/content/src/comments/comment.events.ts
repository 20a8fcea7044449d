import { type EventOf, type EventTypes, personal } from '@lyceum/kernel';
import { z } from 'zod';

const id = z.string();
const about = {
  host_type: z.enum(['post', 'lesson', 'course']),
  host_id: id,
  /** Everybody could read the comment before the event, or can after it. */
  public: z.literal(true).optional(),
};
const state = z.enum(['visible', 'pending', 'spam']);
const was = z.enum(['visible', 'pending', 'hidden', 'spam']);
const judged = { spam_score: z.int(), spam_signs: z.array(z.string()) };

/** The events of a comment, in the stream named after its id. What was written is encrypted under the key of the member. */
export const commentEvents = {
  CommentPosted: {
    version: 1,
    data: z.object({
      ...about,
      /** The course that the host is or belongs to; null = it is a post. */
      course_id: id.nullable(),
      /** The comment that it answers; null = none. */
      parent_id: id.nullable(),
      author_id: id,
      body: personal(z.string(), 'author_id'),
      /** Says of two comments whether they came from one address; the address is kept nowhere. */
      ip_hash: personal(z.string(), 'author_id'),
      state,
      ...judged,
    }),
  },
  CommentEdited: {
    version: 1,
    data: z.object({ ...about, author_id: id, body: personal(z.string(), 'author_id'), was, state, ...judged }),
  },
  /** After it was looked at: one that waited, or that was taken for spam. */
  CommentApproved: { version: 1, data: z.object({ ...about, by: id }) },
  /** One that was visible. */
  CommentHidden: { version: 1, data: z.object({ ...about, by: id }) },
  /** One that was hidden. */
  CommentRestored: { version: 1, data: z.object({ ...about, by: id }) },
  CommentMarkedSpam: { version: 1, data: z.object({ ...about, was, by: id }) },
  /** `held`: so many members did that it waits for the staff. */
  CommentReported: { version: 1, data: z.object({ ...about, member_id: id, reason: z.string(), held: z.boolean() }) },
  /** By its author, or because the author is erased. What it said is shown to nobody any more; answers to it stay. */
  CommentDeleted: { version: 1, data: z.object({ ...about, was, by: id }) },
} as const satisfies EventTypes;

/** An event of a comment. */
export type CommentEvent = EventOf<typeof commentEvents>;

/** A comment as it was posted. What is personal is null once the author is erased. */
export type Posted = Extract<CommentEvent, { type: 'CommentPosted' }>['data'];
