import type { Slice } from '@lyceum/service';
import { invitationEvents } from './invitation.events.ts';
import { invitingReaction } from './invitation.sending.ts';

/** The mails that invite people. */
export const invitationSlice: Slice = {
  name: 'invitations',
  operations: [],
  events: invitationEvents,
  reactions: [invitingReaction],
};
