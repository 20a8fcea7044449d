import { fold } from '@lyceum/eventlog';
import { isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts } from '@lyceum/service';
import { z } from 'zod';
import { mostTags } from '../members/member.schema.ts';
import { memberDecider } from '../members/member.ts';
import { decideMember } from '../members/member.write.ts';
import { inviteStudent } from './invite-student.ts';

const asked = z.object({
  school: z.string(),
  /** Whoever is not known by an id is known by an address, and invited where nobody has it. */
  member: z.string().optional(),
  email: z.string().optional(),
  name: z.string().optional(),
  tag: z.string().min(1).max(40),
  /** Always the same for the same wish to invite, and for the same wish to tag: each is carried out once. */
  commit: z.string().min(1).max(64),
  tagging: z.string().min(1).max(64),
});

type Tagging = z.output<typeof asked>;

/** Who has the tag, or why nobody has: a code of the error table, or `too_many_tags`. */
type Tagged = { readonly member: string } | { readonly refused: string };

type TaggingPorts = Pick<ModulePorts, 'log' | 'clock' | 'vault'>;

const memberOf = async ({ tag: _tag, tagging: _tagging, member, ...inviting }: Tagging, ports: TaggingPorts) =>
  member === undefined ? inviteStudent({ ...inviting, by: 'system' }, ports) : { member };

/** Adds the tag to those that the member has as of now. Throws when they become others meanwhile: the wish comes again. */
async function tagMember({ school, tag, tagging }: Tagging, member: string, ports: TaggingPorts): Promise<Tagged> {
  const { state, version } = await fold(ports.log, memberDecider, school, member);
  if (!state) return { refused: 'not_found' };
  if (state.tags.includes(tag)) return { member };
  if (state.tags.length >= mostTags) return { refused: 'too_many_tags' };
  const call = {
    school,
    at: isoTime(ports.clock.now()),
    meta: { actor: 'system' },
    commit: { commitId: uuidv5('tag-sender', tagging, member), fingerprint: '' },
    expected: [version],
  };
  const command = { type: 'ChangeMember' as const, changes: { tags: [...state.tags, tag] } };
  const done = await decideMember(ports, call, member, command, { by: undefined });
  return isRejection(done) ? { refused: done.rejected } : { member };
}

/** Gives a tag to whoever agreed to it when they sent a form: a member, or somebody who is invited as a plain one. */
export async function tagSender(question: unknown, ports: TaggingPorts): Promise<Tagged> {
  const wish = asked.parse(question);
  const whom = await memberOf(wish, ports);
  if ('refused' in whom) return whom;
  return tagMember(wish, whom.member, ports);
}
