import { type Decider, type Rejection, reject } from '@lyceum/kernel';
import { type CommentEvent, type Posted, commentEvents } from './comment.events.ts';
import { type Comment, type CommentState, evolve, isGone } from './comment.state.ts';

/** What the staff may do with a comment. */
export const moderationActions = ['approve', 'hide', 'restore', 'spam'] as const;

/** A comment as it is written: nothing personal is missing. */
export interface NewComment extends Posted {
  readonly body: string;
  readonly ip_hash: string;
}

/** What a comment says after it was changed, and how that was judged. */
type Edit = Pick<NewComment, 'body' | 'state' | 'spam_score' | 'spam_signs'>;

/** `isPublic`: everybody may read what the comment is about. */
interface AtHost {
  readonly isPublic: boolean;
}

/** What can be asked of a comment. */
export type CommentCommand = AtHost & CommentRequest;

/** The same, without what the comment is about. */
export type CommentRequest =
  | { readonly type: 'PostComment'; readonly comment: NewComment }
  /** `now`: RFC 3339. */
  | { readonly type: 'EditComment'; readonly edit: Edit; readonly now: string }
  | { readonly type: 'DeleteComment'; readonly by: string }
  | { readonly type: 'ModerateComment'; readonly action: (typeof moderationActions)[number]; readonly by: string }
  | { readonly type: 'ReportComment'; readonly member_id: string; readonly reason: string };

/** What a command can be rejected for. */
export type CommentCode = 'not_found' | 'invalid_state';

type Decision = readonly CommentEvent[] | Rejection<CommentCode>;

/** Milliseconds in which an author may change a comment. */
export const editingTime = 15 * 60_000;

/** So many members have to report a comment before it waits for the staff, and so many are kept at most. */
const [reportsToHold, mostReports] = [3, 20] as const;

function decide(command: CommentCommand, state: CommentState): Decision {
  if (command.type === 'PostComment')
    return state === null
      ? [{ type: 'CommentPosted', data: { ...command.comment, ...seen(command.comment.state === 'visible', command) } }]
      : reject('invalid_state', 'The comment exists already');
  if (!state) return reject('not_found', 'There is no such comment');
  if (command.type === 'DeleteComment')
    return state.state === 'deleted'
      ? []
      : [{ type: 'CommentDeleted', data: { ...aboutOf(state, command), was: state.state, by: command.by } }];
  if (isGone(state) || state.state === 'deleted') return reject('not_found', 'The comment was deleted');
  switch (command.type) {
    case 'EditComment':
      return edit(state, command);
    case 'ModerateComment':
      return moderate(state, command);
    case 'ReportComment':
      return report(state, command);
  }
}

/** The mark of an event after which everybody sees something else than before. */
const seen = (isSeen: boolean, { isPublic }: AtHost): { public?: true } => (isSeen && isPublic ? { public: true } : {});

/** What an event says of the host. What everybody was told they are told the end of, whatever became of the host. */
const aboutOf = ({ host_type, host_id, state, isPublic: wasPublic }: Comment, at: AtHost, isShown = false) => ({
  host_type,
  host_id,
  ...seen(state === 'visible' || isShown, { isPublic: at.isPublic || wasPublic }),
});

type Asked<Type extends CommentRequest['type']> = AtHost & Extract<CommentRequest, { type: Type }>;

function edit(comment: Comment, command: Asked<'EditComment'>): Decision {
  const { now } = command;
  const { body, state: judged, ...score } = command.edit;
  const { author_id, state: was } = comment;
  if (was !== 'visible' && was !== 'pending')
    return reject('invalid_state', 'The staff has taken the comment away: it cannot be changed');
  if (Date.parse(now) > Date.parse(comment.created_at) + editingTime)
    return reject('invalid_state', 'A comment can be changed for 15 minutes');
  if (body === comment.body) return [];
  // What waits for the staff goes on waiting.
  const state = was === 'pending' && judged === 'visible' ? 'pending' : judged;
  return [{ type: 'CommentEdited', data: { ...aboutOf(comment, command), author_id, body, was, state, ...score } }];
}

const targets = { approve: 'visible', hide: 'hidden', restore: 'visible', spam: 'spam' } as const;

/** From which states each action leads to its own. */
const sources = {
  approve: ['pending', 'spam'],
  hide: ['visible'],
  restore: ['hidden'],
  spam: ['visible', 'pending'],
} as const satisfies Record<keyof typeof targets, readonly Comment['state'][]>;

function moderate(comment: Comment, command: Asked<'ModerateComment'>): Decision {
  const { action, by } = command;
  const { state: was } = comment;
  if (was === 'deleted') return reject('not_found', 'The comment was deleted');
  if (was === targets[action]) return [];
  if (!sources[action].some((source) => source === was))
    return reject('invalid_state', `A comment that is ${was} cannot be changed by ${action}`);
  const data = { ...aboutOf(comment, command, targets[action] === 'visible'), by };
  switch (action) {
    case 'approve':
      return [{ type: 'CommentApproved', data }];
    case 'hide':
      return [{ type: 'CommentHidden', data }];
    case 'restore':
      return [{ type: 'CommentRestored', data }];
    case 'spam':
      return [{ type: 'CommentMarkedSpam', data: { ...data, was } }];
  }
}

/** A report counts once for each member. What the staff have approved or restored is not held by reports again. */
function report(comment: Comment, command: Asked<'ReportComment'>): Decision {
  const { member_id: member, reason } = command;
  const { state, author_id, reports, log } = comment;
  if (author_id === member) return reject('invalid_state', 'Nobody reports what they wrote themselves');
  if (state !== 'visible' && !reports.some(({ member_id }) => member_id === member))
    return reject('not_found', 'There is no such comment');
  if (reports.length >= mostReports || reports.some(({ member_id }) => member_id === member)) return [];
  const isTrusted = log.some(({ action }) => action === 'approve' || action === 'restore');
  const held = !isTrusted && reports.length + 1 >= reportsToHold;
  const { public: isPublic, ...about } = aboutOf(comment, command);
  const data = { ...about, member_id: member, reason, held };
  return [{ type: 'CommentReported', data: held && isPublic ? { ...data, public: isPublic } : data }];
}

/** A comment: the stream is its id. */
export const commentDecider: Decider<CommentState, CommentCommand, CommentEvent, CommentCode> = {
  events: commentEvents,
  initial: null,
  decide,
  evolve,
};
