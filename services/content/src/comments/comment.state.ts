import { type EventContext, type Recorded, recording, unrecorded } from '@lyceum/kernel';
import type { CommentEvent, Posted } from './comment.events.ts';

/** Where a comment stands. Deleted is for ever. */
export const commentStates = ['visible', 'pending', 'hidden', 'spam', 'deleted'] as const;

/** Where a comment stands. */
export type CommentStatus = (typeof commentStates)[number];

/** That a member reported a comment. */
interface Report {
  readonly member_id: string;
  readonly reason: string;
  readonly at: string;
}

/** What was decided about a comment. */
interface Moderation {
  readonly action: 'approve' | 'hide' | 'restore' | 'spam' | 'hold';
  /** Null = so many members reported it. */
  readonly by: string | null;
  readonly at: string;
}

/** A comment. */
export interface Comment extends Omit<Posted, 'state' | 'public'>, Recorded {
  readonly state: CommentStatus;
  readonly edited_at: string | null;
  readonly reports: readonly Report[];
  readonly log: readonly Moderation[];
  /** It stood where others read it, and its place stays when it is deleted. */
  readonly wasSeen: boolean;
  /** Everybody reads it, as far as its events say. */
  readonly isPublic: boolean;
}

/** A comment; null = there is none. */
export type CommentState = Comment | null;

/** Whether nothing is left of what a comment said: it is deleted, or its author is erased. */
export const isGone = ({ state, body }: Pick<Comment, 'state' | 'body'>): boolean =>
  state === 'deleted' || body === null;

const actions = {
  CommentApproved: ['approve', 'visible'],
  CommentHidden: ['hide', 'hidden'],
  CommentRestored: ['restore', 'visible'],
  CommentMarkedSpam: ['spam', 'spam'],
} as const;

/** The comment after an event, but for its times. */
function apply(before: CommentState, event: CommentEvent): CommentState {
  if (event.type === 'CommentPosted') {
    const { public: _public, ...posted } = event.data;
    return { ...unrecorded, ...posted, edited_at: null, reports: [], log: [], wasSeen: false, isPublic: false };
  }
  if (!before) return before;
  switch (event.type) {
    case 'CommentEdited': {
      const { body, state, spam_score, spam_signs } = event.data;
      return { ...before, body, state, spam_score, spam_signs };
    }
    case 'CommentReported':
      return event.data.held ? { ...before, state: 'pending' } : before;
    case 'CommentDeleted':
      return { ...before, state: 'deleted', body: '', ip_hash: '' };
    default:
      return { ...before, state: actions[event.type][1] };
  }
}

const recorded = recording<Comment, CommentEvent>(apply, { created: 'CommentPosted' });

/** What an event adds that has a time of its own. */
function timed(comment: Comment, event: CommentEvent, at: string): Partial<Comment> {
  const { reports, log } = comment;
  switch (event.type) {
    case 'CommentPosted':
    case 'CommentDeleted':
      return {};
    case 'CommentEdited':
      return { edited_at: at };
    case 'CommentReported': {
      const { member_id, reason, held } = event.data;
      return {
        reports: [...reports, { member_id, reason, at }],
        ...(held ? { log: [...log, { action: 'hold' as const, by: null, at }] } : {}),
      };
    }
    default:
      return { log: [...log, { action: actions[event.type][0], by: event.data.by, at }] };
  }
}

/** Folds an event as the log recorded it. */
export function evolve(before: CommentState, event: CommentEvent, context: EventContext): CommentState {
  const next = recorded(before, event, context);
  if (!next) return next;
  const isVisible = next.state === 'visible';
  const isPublic = isVisible && (next.isPublic || event.data.public === true);
  return { ...next, ...timed(next, event, context.at), wasSeen: next.wasSeen || isVisible, isPublic };
}
