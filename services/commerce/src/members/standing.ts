import type { ModulePorts } from '@lyceum/service';
import { Problem } from '@lyceum/web';
import { z } from 'zod';

const standing = z.object({ members: z.array(z.object({ id: z.string(), status: z.string() })) });

type AskingPorts = Pick<ModulePorts, 'ask' | 'logger'>;

async function standingOf({ ask, logger }: AskingPorts, school: string, id: string): Promise<string | undefined> {
  try {
    const answer = await ask?.('school', { kind: 'standing-of-members', school, ids: [id] });
    return answer === undefined ? undefined : standing.parse(answer).members.find((each) => each.id === id)?.status;
  } catch (err) {
    logger.error({ err }, 'the school service does not say how a member stands');
    throw new Problem('temporarily_unavailable', 'The school service is awaited', { headers: { 'Retry-After': '1' } });
  }
}

/** Refuses somebody who is no member of the school: 404, or 409 for who was erased. Who is only invited is one. */
export async function refuseStrangers(ports: AskingPorts, school: string, member: string): Promise<void> {
  const status = await standingOf(ports, school, member);
  if (status === undefined) throw new Problem('not_found', 'There is no such member');
  if (status === 'erased') throw new Problem('erased');
}
