import type { Reaction, Slice } from '@lyceum/service';
import { seedAccountHolders, seedOtherMembers } from './membership.demo.ts';
import { destroyKey, memberGone } from './membership.erasure.ts';
import { inviteFirstOwner } from './membership.first-owner.ts';
import { joiningReaction } from './membership.joining.ts';
import { leavingProcess } from './membership.leaving.ts';

/** Invites the owner of a new school, and completes the erasure of a member. */
const followingUp: Reaction = {
  name: 'following-up',
  events: ['SchoolProvisioned', 'MemberErased'],
  async perform(event, ports) {
    await (event.type === 'MemberErased' ? destroyKey : inviteFirstOwner)(event, ports);
  },
};

/** How people become members of a school by events elsewhere, and cease to be members. */
export const membershipSlice: Slice = {
  name: 'membership',
  operations: [],
  reactions: [joiningReaction, followingUp],
  processes: [{ manager: leavingProcess }],
  erased: memberGone,
  seedDemo: (_demo, ports) => seedAccountHolders(ports),
  seedDemoHistory: (_demo, ports) => seedOtherMembers(ports),
};
