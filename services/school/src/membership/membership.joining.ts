import { isSameEmail } from '@lyceum/contracts';
import { claimant, fold } from '@lyceum/eventlog';
import { isRejection, uuidv5 } from '@lyceum/kernel';
import type { Reaction, ModulePorts } from '@lyceum/service';
import { z } from 'zod';
import { memberEmailKey } from '../members/member.email.ts';
import { memberDecider, memberEmail } from '../members/member.ts';
import { decideForPlatform, notBefore } from '../members/member.write.ts';

/** What the authorization server answers about an account. */
const profile = z.object({ email: z.string(), name: z.string() });

const subject = z.object({ account_id: z.string() });

type JoiningPorts = Pick<ModulePorts, 'log' | 'clock' | 'vault' | 'ask' | 'logger'>;

/** Who an account belongs to; undefined when there is none any more. Facts carry ids only, so its owner is asked. */
async function profileOf({ ask }: JoiningPorts, school: string, account: string) {
  const answer = await ask?.('auth', { kind: 'account', school, account });
  return answer === undefined ? undefined : profile.parse(answer);
}

/** Makes the owner of an account a member: with the role of the invitation, or as a plain member. */
async function join(ports: JoiningPorts, school: string, id: string, cause: string): Promise<void> {
  const { state } = await fold(ports.log, memberDecider, school, id);
  if (state && state.status !== 'invited') return;
  const known = await profileOf(ports, school, id);
  if (!known) return;
  const emailKey = await memberEmailKey(ports.vault, school, known.email);
  const command = { type: 'JoinSchool', ...known, emailKey, role: 'member' } as const;
  const commitId = (step: string) => uuidv5('member-joined', step, school, id, cause);
  const outcome = await decideForPlatform(ports, school, id, command, commitId('join'));
  if (!isRejection(outcome) || outcome.rejected !== 'email_taken') return;
  const holder = await claimant(ports.log, school, memberEmail, emailKey);
  const other = holder === undefined ? undefined : (await fold(ports.log, memberDecider, school, holder)).state;
  if (other?.status !== 'invited' || !isSameEmail(other.email ?? '', known.email))
    return ports.logger.error(
      { school, stream: id },
      'an account has the e-mail address of another member: it does not join',
    );
  // The account was opened beside an invitation to the same address, whose owner it has proved to be.
  const at = notBefore(ports.clock.now());
  const withdraw = { type: 'EraseMember', by: 'system', notBefore: at } as const;
  await decideForPlatform(ports, school, holder!, withdraw, commitId('withdraw'));
  await decideForPlatform(ports, school, id, { ...command, role: other.role }, commitId('join instead'));
}

/** The school writes to people at the address, and under the name, of their account. */
async function follow(ports: JoiningPorts, school: string, id: string, cause: string): Promise<void> {
  const known = await profileOf(ports, school, id);
  if (!known) return;
  const emailKey = await memberEmailKey(ports.vault, school, known.email);
  const commitId = (step: string) => uuidv5('member-follows-account', step, school, id, cause);
  const changes = { name: known.name };
  await decideForPlatform(ports, school, id, { type: 'ChangeMember', changes }, commitId('name'));
  const moved = { type: 'ReaddressMember', email: known.email, emailKey } as const;
  await decideForPlatform(ports, school, id, moved, commitId('address'));
}

/** What follows for members from what happens to accounts. */
export const joiningReaction: Reaction = {
  name: 'joining',
  source: 'auth',
  events: ['AccountOpened', 'AccountChanged'],
  async perform({ type, tenant, data, position }, ports) {
    const cause = String(position);
    const { account_id } = subject.parse(data);
    await (type === 'AccountOpened' ? join : follow)(ports, tenant, account_id, cause);
  },
};
