import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

const data = z.object({ comment_id: z.string(), member_id: z.string() });

/** The events of whether one member likes one comment, in a stream of the two. */
export const likeEvents = {
  CommentLiked: { version: 1, data },
  /** The member does not like it any more. */
  CommentUnliked: { version: 1, data },
} as const satisfies EventTypes;

/** An event of a like. */
export type LikeEvent = EventOf<typeof likeEvents>;
