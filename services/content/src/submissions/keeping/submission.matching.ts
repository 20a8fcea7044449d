import { foldEmail } from '@lyceum/contracts';
import { Erased, execute, fold } from '@lyceum/eventlog';
import { isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts, Reaction } from '@lyceum/service';
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { type Submission, presentSubmission, submissionDecider } from '../submission.ts';

type MatchingPorts = Pick<ModulePorts, 'log' | 'clock' | 'vault' | 'ask'>;

const matched = z.union([z.object({ member: z.string() }), z.object({ refused: z.string() })]);

/** Refusals that stay refusals: the person is gone, or has as many tags as a member may have. */
const final: ReadonlySet<string> = new Set(['erased', 'not_found', 'too_many_tags']);

/**
 * The name of the wish to have somebody known: once a day for each address, so that nobody has mails sent to others by sending
 * a form again and again.
 */
async function wishOf({ vault, clock }: MatchingPorts, school: string, email: string): Promise<string> {
  const key = await vault.derive(school, 'form-sender');
  const digest = createHmac('sha256', key).update(foldEmail(email)).digest('hex');
  return uuidv5('form-sender', digest, isoTime(clock.now()).slice(0, 10));
}

/** What the answer called so says of the sender's name. */
function nameOf({ answers }: Submission): object {
  const value = answers?.find(({ key }) => key === 'name')?.value ?? '';
  const name = value.replaceAll(/\s+/gu, ' ').trim();
  return name === '' || [...name].length > 200 ? {} : { name };
}

/** Whether the sender is to be known to the school as somebody with the tag of the form. */
const isWanted = ({ state, consent, tag, email, member_id, isMatched }: Submission): boolean =>
  state === 'accepted' && consent !== null && tag !== null && !isMatched && Boolean(email || member_id);

/** Has the school service tag the sender who agreed to it; whoever is no member is invited. */
async function match(ports: MatchingPorts, tenant: string, stream: string): Promise<void> {
  const { state, version } = await fold(ports.log, submissionDecider, tenant, stream);
  const submission = presentSubmission(state);
  if (!submission || !isWanted(submission)) return;
  const { tag, email, member_id } = submission;
  const whom = member_id === null ? { email, ...nameOf(submission) } : { member: member_id };
  const commit = member_id === null ? await wishOf(ports, tenant, email ?? '') : stream;
  const question = { kind: 'tag-sender', school: tenant, ...whom, tag, commit, tagging: stream };
  const answer = matched.parse(await ports.ask?.('school', question));
  if ('refused' in answer) {
    if (final.has(answer.refused)) return;
    throw new Error(`the school service does not know the sender of a form: ${answer.refused}`);
  }
  const done = await execute(ports.log, submissionDecider, {
    tenant,
    stream,
    command: { type: 'MatchSubmission', member_id: answer.member },
    at: isoTime(ports.clock.now()),
    meta: { actor: 'system' },
    commitId: uuidv5('match-submission', tenant, stream, String(version)),
  });
  // Deleted meanwhile: nobody is to be found by it any more.
  if (isRejection(done) && done.rejected !== 'not_found') throw new Error(done.reason);
}

/** Who sends a form with a tag, and agrees, is known to the school from then on. Nothing of that is published but ids. */
export const matchingSenders: Reaction = {
  name: 'matching-senders',
  events: ['FormSubmitted', 'SubmissionAccepted'],
  async perform({ tenant, stream }, ports) {
    try {
      await match(ports, tenant, stream);
    } catch (error) {
      if (!(error instanceof Erased)) throw error;
    }
  },
};
