import { type ErrorCode, isErrorCode, roles } from '@lyceum/contracts';
import { type AskingPorts, askFor } from '@lyceum/service';
import { type Ports, Problem } from '@lyceum/web';
import { z } from 'zod';
import { knownMember } from '../members/known-members.ts';

const standing = z.object({
  members: z.array(z.object({ id: z.string(), role: z.enum(roles), status: z.string() })),
});

/** The role and the status of a member as of now. */
export type Standing = z.output<typeof standing>['members'][number];

const most = 100;

/** How members stand, those who are only invited too; without ids that are nobody's. */
export async function standingOf(
  ports: AskingPorts,
  school: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Standing>> {
  const all = new Map<string, Standing>();
  for (let from = 0; from < ids.length; from += most) {
    const question = { kind: 'standing-of-members', school, ids: ids.slice(from, from + most) };
    const answer = await askFor(ports, 'school', question, standing);
    for (const each of answer?.members ?? []) all.set(each.id, each);
  }
  return all;
}

type KnowingPorts = Pick<Ports, 'documents'> & AskingPorts;

/**
 * Why members cannot be enrolled, by id; undefined for those who can. Members who have joined are known here; whether
 * others are invited, the school service is asked.
 */
export async function refusalsOf(
  ports: KnowingPorts,
  school: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Problem | undefined>> {
  const known = await Promise.all(ids.map(async (id) => [id, (await knownMember(ports, school, id))?.status] as const));
  const unknown = known.filter(([, status]) => status === undefined).map(([id]) => id);
  const invited = await standingOf(ports, school, unknown);
  return new Map(known.map(([id, status]) => [id, refusalFor(status ?? invited.get(id)?.status)]));
}

function refusalFor(status: string | undefined): Problem | undefined {
  if (status === undefined) return new Problem('not_found', 'There is no such member');
  return status === 'erased' ? new Problem('erased') : undefined;
}

/** Somebody who is to be a member. */
export interface Invitation {
  readonly email: string;
  readonly name?: string | undefined;
  /** Id of the member of the staff who invites. */
  readonly by: string;
  /** Always the same for the same wish: it is carried out once. */
  readonly commit: string;
  readonly fingerprint?: string;
}

const invited = z.union([
  z.object({ member: z.string(), status: z.string(), invited: z.boolean() }),
  z.object({ refused: z.string() }),
]);

/** The member with an e-mail address; whoever is none is invited. Throws the problem why not. */
export async function memberWithAddress(
  ports: AskingPorts,
  school: string,
  invitation: Invitation,
): Promise<{ readonly member: string; readonly invited: boolean }> {
  const answer = await askFor(ports, 'school', { kind: 'invite-student', school, ...invitation }, invited);
  if (!answer) throw new Problem('temporarily_unavailable', 'The school service cannot invite yet');
  if ('refused' in answer) throw new Problem(codeOf(answer.refused));
  return answer;
}

const codeOf = (refused: string): ErrorCode => (isErrorCode(refused) ? refused : 'server_error');
