import { claimant, fold } from '@lyceum/eventlog';
import { type ModulePorts, type PersonalData, type Slice, aggregate, onlyRecord, streamsOf } from '@lyceum/service';
import { z } from 'zod';
import { profileDecider, profileStream } from '../school/profile.ts';
import { memberEmailKey } from './member.email.ts';
import { memberEvents } from './member.events.ts';
import { memberFact } from './member.facts.ts';
import { memberOperations } from './member.http.ts';
import { memberDocument, memberOf, memberProjection, members } from './member.view.ts';
import { memberDecider, memberEmail } from './member.ts';

const byEmail = z.object({ school: z.string(), email: z.string() });

/**
 * The member that an e-mail address belongs to, for the authorization server: the id, whether they have joined, and the
 * address that they were invited under, which may be spelt otherwise.
 */
async function memberByEmail(question: unknown, { log, vault }: ModulePorts) {
  const { school, email } = byEmail.parse(question);
  const id = await claimant(log, school, memberEmail, await memberEmailKey(vault, school, email));
  const state = id === undefined ? undefined : (await fold(log, memberDecider, school, id)).state;
  return state && { member: id, status: state.status, ...(state.email === null ? {} : { email: state.email }) };
}

const byIds = z.object({ school: z.string(), ids: z.array(z.string()).max(100) });

/**
 * The names, avatars, e-mail addresses and tags of members, for services that show them, without those who are erased; and
 * whether lecturers may see the addresses. An avatar is the id of a file, or an address elsewhere.
 */
async function membersById(question: unknown, { documents, log }: Pick<ModulePorts, 'documents' | 'log'>) {
  const { school, ids } = byIds.parse(question);
  const where = [{ field: 'id', in: ids }];
  const { items } = await documents.query(members, school, { where, limit: 100 });
  const { state } = await fold(log, profileDecider, school, profileStream);
  return {
    student_email_to_lecturers: state.said.student_email_to_lecturers ?? false,
    members: items
      .map(({ id, body }) => ({ id, ...memberOf(body) }))
      .filter(({ status }) => status !== 'erased')
      .map(({ id, name, email, tags, avatar }) => ({ id, name, email, tags, avatar })),
  };
}

/** All that the school keeps about a member: also its own note about them. The avatar is an address at the school. */
const memberData: PersonalData<ModulePorts> = {
  file: 'member',
  async read({ school, subject }, { log }) {
    const { state } = await fold(log, memberDecider, school, subject);
    return onlyRecord(state && memberDocument(subject, state, ''));
  },
};

/** The people of a school, and their roles. */
export const memberSlice: Slice = {
  name: 'members',
  operations: ({ vault, erase }) =>
    memberOperations({
      vault,
      async erase(...whom) {
        await erase?.(...whom);
      },
    }),
  events: memberEvents,
  aggregates: [aggregate(streamsOf('account_'), memberDecider)],
  projections: [memberProjection],
  toFact: memberFact,
  personalData: [memberData],
  answers: { 'member-by-email': memberByEmail, 'members-by-id': membersById },
};
