import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { memberEvents } from './member.events.ts';
import { isMember } from './member.ts';

/** What other services hear of a member: the id, the role, whether it counts. Never who it is. Invitations stay here. */
export function memberFact(recorded: RecordedEvent): FactOf<'school'> | undefined {
  if (!isMember(recorded.stream)) return undefined;
  const event = upcast(memberEvents, recorded);
  const member_id = recorded.stream;
  switch (event.type) {
    case 'MemberJoined':
      return { type: 'MemberJoined', data: { member_id, role: event.data.role } };
    case 'MemberRoleChanged':
      return { type: 'MemberRoleChanged', data: { member_id, ...event.data } };
    case 'MemberSuspended':
    case 'MemberErased':
      return { type: event.type, data: { member_id, tokens_not_before: event.data.tokens_not_before } };
    case 'MemberReinstated':
      return { type: 'MemberReinstated', data: { member_id, role: event.data.role } };
    default:
      return undefined;
  }
}
