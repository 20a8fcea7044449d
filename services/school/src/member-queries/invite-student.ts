import { IdempotencyMismatch, claimant, fold } from '@lyceum/eventlog';
import { isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts } from '@lyceum/service';
import { z } from 'zod';
import { memberEmailKey } from '../members/member.email.ts';
import { memberDecider, memberEmail } from '../members/member.ts';
import { decideMember } from '../members/member.write.ts';

const asked = z.object({
  school: z.string(),
  email: z.email().max(254),
  name: z.string().min(1).max(200).optional(),
  /** Id of the member of the staff who wants it; absent, or `system` = the platform, for somebody who bought something. */
  by: z
    .string()
    .optional()
    .transform((by) => (by === 'system' ? undefined : by)),
  /** Always the same for the same wish: it is carried out once. */
  commit: z.string().min(1).max(64),
  fingerprint: z.string().default(''),
});

type Inviting = z.output<typeof asked>;

/** Who has the address, or why nobody was invited: a code of the error table. */
type Invited =
  { readonly member: string; readonly status: string; readonly invited: boolean } | { readonly refused: string };

type InvitingPorts = Pick<ModulePorts, 'log' | 'clock' | 'vault'>;

/** The member with an address, invited as a plain member when there is none. The mail follows from the event. */
export async function inviteStudent(question: unknown, ports: InvitingPorts): Promise<Invited> {
  const wish = asked.parse(question);
  const emailKey = await memberEmailKey(ports.vault, wish.school, wish.email);
  const known = await holderOf(wish, emailKey, ports);
  if (known) return known;
  const made = await invite(wish, emailKey, ports);
  // Somebody else took the address between the two looks.
  const refusedFor = 'refused' in made ? made.refused : undefined;
  return refusedFor === 'email_taken' ? ((await holderOf(wish, emailKey, ports)) ?? made) : made;
}

/** The id that the person gets: the same in every try. */
const idOf = ({ school, commit }: Inviting): string => `account_${uuidv5('invited-student', school, commit)}`;

async function holderOf(wish: Inviting, emailKey: string, { log }: InvitingPorts): Promise<Invited | undefined> {
  const member = await claimant(log, wish.school, memberEmail, emailKey);
  if (member === undefined) return undefined;
  const { state } = await fold(log, memberDecider, wish.school, member);
  return state && { member, status: state.status, invited: member === idOf(wish) };
}

async function invite(wish: Inviting, emailKey: string, ports: InvitingPorts): Promise<Invited> {
  const { school, email, name, by, commit, fingerprint } = wish;
  const command = { type: 'InviteMember', email, emailKey, name, role: 'member', by: by ?? 'system' } as const;
  const call = {
    school,
    at: isoTime(ports.clock.now()),
    meta: { actor: by ?? 'system' },
    commit: { commitId: uuidv5('invite-student', commit), fingerprint },
  };
  try {
    const done = await decideMember(ports, call, idOf(wish), command, { by });
    if (isRejection(done)) return { refused: done.rejected };
    return { member: done.stream, status: 'invited', invited: true };
  } catch (error) {
    if (error instanceof IdempotencyMismatch) return { refused: 'idempotency_key_reused' };
    throw error;
  }
}
