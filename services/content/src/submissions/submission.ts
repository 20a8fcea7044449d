import { type Decider, type Recorded, type Rejection, recording, reject, unrecorded } from '@lyceum/kernel';
import { type Answer, type SubmissionEvent, type Submitted, submissionEvents } from './submission.events.ts';

/** Where a submission stands: a received one is doubtful, so that a person should look at it. */
export const submissionStates = ['received', 'accepted', 'spam'] as const;

/** A submission that is not deleted. */
export interface Submission extends Readonly<Submitted>, Recorded {
  /** Whether the school service was asked who the sender is. */
  readonly isMatched: boolean;
}

/** A submission: null = there is none; deleted for good. */
export type SubmissionState = Submission | 'deleted' | null;

/** A submission as it is written: nothing personal is missing. */
export interface NewSubmission extends Submitted {
  readonly email: string;
  readonly answers: Answer[];
  readonly ip_hash: string;
}

/** What can be asked of a submission. */
export type SubmissionCommand =
  | { readonly type: 'SubmitForm'; readonly submission: NewSubmission }
  | { readonly type: 'AcceptSubmission' | 'MarkSubmissionSpam'; readonly by: string }
  | { readonly type: 'MatchSubmission'; readonly member_id: string }
  | {
      readonly type: 'DeleteSubmission';
      readonly by: string;
      readonly reason: 'staff' | 'retention' | 'erasure';
    };

/** What a command can be rejected for. */
export type SubmissionCode = 'not_found' | 'invalid_state';

type Decision = readonly SubmissionEvent[] | Rejection<SubmissionCode>;

function decide(command: SubmissionCommand, state: SubmissionState): Decision {
  if (command.type === 'SubmitForm')
    return state === null
      ? [{ type: 'FormSubmitted', data: command.submission }]
      : reject('invalid_state', 'The submission exists already');
  if (state === null) return reject('not_found', 'There is no such submission');
  if (state === 'deleted')
    return command.type === 'DeleteSubmission' ? [] : reject('not_found', 'The submission was deleted');
  const { form_id, page_id } = state;
  switch (command.type) {
    case 'AcceptSubmission':
      return state.state === 'accepted'
        ? []
        : [{ type: 'SubmissionAccepted', data: { form_id, page_id, by: command.by } }];
    case 'MarkSubmissionSpam':
      return state.state === 'spam'
        ? []
        : [{ type: 'SubmissionMarkedSpam', data: { form_id, page_id, by: command.by } }];
    case 'MatchSubmission':
      return state.isMatched ? [] : [{ type: 'SubmissionMatched', data: { member_id: command.member_id } }];
    case 'DeleteSubmission':
      return [{ type: 'SubmissionDeleted', data: { form_id, page_id, by: command.by, reason: command.reason } }];
  }
}

/** The submission after an event, but for its times. Nothing follows a deletion. */
function apply(state: Submission | null, event: SubmissionEvent): Submission | null {
  if (event.type === 'FormSubmitted') return { ...unrecorded, ...event.data, isMatched: false };
  if (!state) return state;
  switch (event.type) {
    case 'SubmissionAccepted':
      return { ...state, state: 'accepted' };
    case 'SubmissionMarkedSpam':
      return { ...state, state: 'spam' };
    case 'SubmissionMatched':
      return { ...state, member_id: event.data.member_id, isMatched: true };
    case 'SubmissionDeleted':
      return null;
  }
}

const recorded = recording<Submission, SubmissionEvent>(apply, { created: 'FormSubmitted' });

/** A submission: the stream is its id. */
export const submissionDecider: Decider<SubmissionState, SubmissionCommand, SubmissionEvent, SubmissionCode> = {
  events: submissionEvents,
  initial: null,
  decide,
  evolve: (state, event, context) => (state === 'deleted' ? state : (recorded(state, event, context) ?? 'deleted')),
};

/** The submission of a state, as long as anybody may read it. */
export const presentSubmission = (state: SubmissionState): Submission | null =>
  state === null || state === 'deleted' || state.answers === null ? null : state;
