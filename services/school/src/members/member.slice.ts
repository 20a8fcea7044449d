import { claimant, fold } from '@lyceum/eventlog';
import { type Reaction, type ModulePorts, type Slice, aggregate, streamsOf } from '@lyceum/service';
import { z } from 'zod';
import { seedMembers } from './member.demo.ts';
import { destroyKey, memberGone } from './member.erasure.ts';
import { inviteFirstOwner } from './member.first-owner.ts';
import { joiningReaction } from './member.joining.ts';
import { memberEmailKey } from './member.email.ts';
import { memberEvents } from './member.events.ts';
import { memberFact } from './member.facts.ts';
import { memberOperations } from './member.http.ts';
import { type InvitationLink, memberOperatorOperations } from './member.internal.ts';
import { memberProjection } from './member.projection.ts';
import { member, memberEmail } from './member.ts';

const byEmail = z.object({ school: z.string(), email: z.string() });

/**
 * The member that an e-mail address belongs to, for the authorization server: the id, whether they have joined, and the
 * address that they were invited under, which may be spelt otherwise.
 */
async function memberByEmail(question: unknown, { log, vault }: ModulePorts) {
  const { school, email } = byEmail.parse(question);
  const id = await claimant(log, school, memberEmail, await memberEmailKey(vault, school, email));
  const state = id === undefined ? undefined : (await fold(log, member, school, id)).state;
  return state && { member: id, status: state.status, ...(state.email === null ? {} : { email: state.email }) };
}

/** What follows here, without anybody waiting for it, from a new school and from an erased member. */
const followingUp: Reaction = {
  name: 'following-up',
  events: ['SchoolProvisioned', 'MemberErased'],
  async perform(event, ports) {
    await (event.type === 'MemberErased' ? destroyKey : inviteFirstOwner)(event, ports);
  },
};

/** The people of a school, and their roles. */
export const memberSlice = (invitationLink: InvitationLink): Slice => ({
  name: 'members',
  operations: ({ vault, erase }) =>
    memberOperations({
      vault,
      async erase(...whom) {
        await erase?.(...whom);
      },
    }),
  internal: (ports) => memberOperatorOperations(ports, invitationLink),
  events: memberEvents,
  aggregates: [aggregate(streamsOf('account_'), member)],
  projections: [memberProjection],
  cross: memberFact,
  reactions: [joiningReaction, followingUp],
  answers: { 'member-by-email': memberByEmail },
  erased: memberGone,
  seedDemo: (_demo, ports) => seedMembers(ports),
});
