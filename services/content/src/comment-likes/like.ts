import { type Decider, uuidv5 } from '@lyceum/kernel';
import { type LikeEvent, likeEvents } from './like.events.ts';

/** What can be asked of a like. */
export interface LikeCommand {
  readonly type: 'LikeComment' | 'UnlikeComment';
  readonly comment_id: string;
  readonly member_id: string;
}

/** The stream of whether a member likes a comment. */
export const likeStream = (comment: string, member: string): string => `like_${uuidv5('like', comment, member)}`;

/** Whether a member likes a comment: once, however often it is said. */
export const likeDecider: Decider<boolean, LikeCommand, LikeEvent> = {
  events: likeEvents,
  initial: false,
  decide({ type, ...data }, isLiked) {
    const wanted = type === 'LikeComment';
    if (wanted === isLiked) return [];
    return [{ type: wanted ? 'CommentLiked' : 'CommentUnliked', data }];
  },
  evolve: (_before, { type }) => type === 'CommentLiked',
};
