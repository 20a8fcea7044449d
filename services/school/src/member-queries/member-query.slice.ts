import { type Slice } from '@lyceum/service';
import { inviteStudent } from './invite-student.ts';
import { tagSender } from './tag-sender.ts';
import { membersMatching, standingOfMembers } from './member-query.ts';

/** What other services ask about the people of a school, and have done for them. */
export const memberQuerySlice: Slice = {
  name: 'member-queries',
  operations: [],
  answers: {
    'members-matching': membersMatching,
    'standing-of-members': standingOfMembers,
    'invite-student': inviteStudent,
    'tag-sender': tagSender,
  },
};
