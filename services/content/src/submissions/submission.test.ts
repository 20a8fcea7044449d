import { describe, expect, test } from '@jest/globals';
import { isRejection } from '@lyceum/kernel';
import { given } from '@lyceum/testkit';
import fc from 'fast-check';
import type { SubmissionEvent } from './submission.events.ts';
import {
  type NewSubmission,
  type SubmissionCommand,
  type SubmissionState,
  presentSubmission,
  submissionDecider,
} from './submission.ts';

const about = { form_id: 'form_1', page_id: 'page_1' };
const by = 'acc_1';

const submission = (state: NewSubmission['state'] = 'accepted'): NewSubmission => ({
  ...about,
  member_id: null,
  email: 'ada@example.org',
  answers: [{ key: 'email', label: 'Your address', value: 'ada@example.org' }],
  consent: null,
  ip_hash: 'abc',
  spam_score: 0,
  spam_signs: [],
  state,
  tag: null,
});

const submitted = (state?: NewSubmission['state']): SubmissionEvent => ({
  type: 'FormSubmitted',
  data: submission(state),
});
const deleted: SubmissionEvent = { type: 'SubmissionDeleted', data: { ...about, by, reason: 'staff' } };

describe('a submission', () => {
  test('is made once', () => {
    const command = { type: 'SubmitForm', submission: submission() } as const;
    given(submissionDecider).when(command).then(submitted());
    given(submissionDecider, submitted()).when(command).rejected('invalid_state');
    given(submissionDecider, submitted(), deleted).when(command).rejected('invalid_state');
  });

  test('is accepted or spam as the staff say, as often as they change their mind', () => {
    const accepted: SubmissionEvent = { type: 'SubmissionAccepted', data: { ...about, by } };
    const spam: SubmissionEvent = { type: 'SubmissionMarkedSpam', data: { ...about, by } };
    const accept = { type: 'AcceptSubmission', by } as const;
    const mark = { type: 'MarkSubmissionSpam', by } as const;
    given(submissionDecider, submitted('received')).when(accept).then(accepted);
    given(submissionDecider, submitted('received')).when(mark).then(spam);
    given(submissionDecider, submitted('accepted')).when(accept).unchanged();
    given(submissionDecider, submitted('spam')).when(mark).unchanged();
    given(submissionDecider, submitted('spam'), accepted).when(mark).then(spam);
  });

  test('is known as of one member, the first that the school says', () => {
    const matched: SubmissionEvent = { type: 'SubmissionMatched', data: { member_id: 'account_1' } };
    given(submissionDecider, submitted()).when({ type: 'MatchSubmission', member_id: 'account_1' }).then(matched);
    given(submissionDecider, submitted(), matched)
      .when({ type: 'MatchSubmission', member_id: 'account_2' })
      .unchanged();
  });

  test('that is deleted, or was never there, is nothing that could be judged', () => {
    const remove = { type: 'DeleteSubmission', by, reason: 'staff' } as const;
    given(submissionDecider, submitted()).when(remove).then(deleted);
    given(submissionDecider, submitted(), deleted).when(remove).unchanged();
    given(submissionDecider).when(remove).rejected('not_found');
    for (const type of ['AcceptSubmission', 'MarkSubmissionSpam'] as const) {
      given(submissionDecider).when({ type, by }).rejected('not_found');
      given(submissionDecider, submitted(), deleted).when({ type, by }).rejected('not_found');
    }
  });

  test('whose key is destroyed is shown to nobody', () => {
    const erased = {
      type: 'FormSubmitted',
      data: { ...submission(), email: null, answers: null, ip_hash: null },
    } as const;
    const context = { at: '2026-01-05T08:00:00.000Z', version: 1 };
    expect(presentSubmission(submissionDecider.evolve(null, erased, context))).toBeNull();
    expect(presentSubmission(submissionDecider.evolve(null, submitted(), context))).not.toBeNull();
  });

  test('stays deleted, whatever is asked of it, and never changes what was sent (2,000)', () => {
    const command: fc.Arbitrary<SubmissionCommand> = fc.oneof(
      fc.constantFrom('accepted' as const, 'received' as const, 'spam' as const).map((state) => ({
        type: 'SubmitForm' as const,
        submission: submission(state),
      })),
      fc.constantFrom('AcceptSubmission' as const, 'MarkSubmissionSpam' as const).map((type) => ({ type, by })),
      fc.constant({ type: 'MatchSubmission' as const, member_id: 'account_1' }),
      fc.constant({ type: 'DeleteSubmission' as const, by, reason: 'retention' as const }),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 12 }), (commands) => {
        let state: SubmissionState = submissionDecider.initial;
        let version = 0;
        for (const each of commands) {
          const before = state;
          const decision = submissionDecider.decide(each, state);
          if (isRejection(decision)) continue;
          for (const event of decision)
            state = submissionDecider.evolve(state, event, { at: '2026-01-05T08:00:00.000Z', version: (version += 1) });
          if (before === 'deleted') expect(state).toBe('deleted');
          if (state !== null && state !== 'deleted') expect(state.answers).toEqual(submission().answers);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
