import type { Ports } from '@lyceum/web';
import { type CommentPolicy, commentPolicyOf } from '../../comment-policies/comment-policy.ts';
import { isRepetition } from '../../spam/repetition.ts';
import { type SpamScore, doubtful, spam, spamScore } from '../../spam/spam.ts';
import { comments } from './comment.rows.ts';
import type { NewComment } from '../comment.ts';

/** Who wrote something. `manages`: whoever moderates comments waits for nobody. */
export interface Writer {
  readonly school: string;
  readonly member: string;
  readonly manages: boolean;
}

type JudgingPorts = Pick<Ports, 'documents' | 'ephemeral'>;

/** Whether a comment of the member stands where others read it, as far as the read model has it: then they are known here. */
async function isKnown({ documents }: JudgingPorts, { school, member }: Writer): Promise<boolean> {
  const where = [
    { field: 'author_id', is: member },
    { field: 'state', is: 'visible' },
  ];
  return (await documents.query(comments, school, { where, limit: 1 })).items.length > 0;
}

const isHeld = async (ports: JudgingPorts, writer: Writer, policy: CommentPolicy): Promise<boolean> =>
  policy === 'all_held' || (policy === 'first_time_held' && !(await isKnown(ports, writer)));

/** What was sent twice by mistake waits; what looks like spam in another way, too, is spam. */
const isSpam = ({ score, signs }: SpamScore): boolean => score >= spam && signs.some((sign) => sign !== 'repeated');

/** What becomes of what somebody wrote, by the policy of the school and plain rules. */
export async function judgeComment(
  ports: JudgingPorts,
  writer: Writer,
  body: string,
): Promise<Pick<NewComment, 'state' | 'spam_score' | 'spam_signs'>> {
  if (writer.manages) return { state: 'visible', spam_score: 0, spam_signs: [] };
  const isRepeated = await isRepetition(ports, writer.school, ['comment', writer.member], [body]);
  const judged = spamScore({ texts: [body], isRepeated });
  const scored = { spam_score: judged.score, spam_signs: [...judged.signs] };
  if (isSpam(judged)) return { state: 'spam', ...scored };
  const policy = await commentPolicyOf(ports, writer.school);
  const waits = judged.score >= doubtful || (await isHeld(ports, writer, policy));
  return { state: waits ? 'pending' : 'visible', ...scored };
}
