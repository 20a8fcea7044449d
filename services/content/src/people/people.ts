import { imagePath, isFileId } from '@lyceum/contracts';
import { type AskingPorts, askFor } from '@lyceum/service';
import type { Call } from '@lyceum/web';
import { z } from 'zod';

const named = z.object({
  members: z.array(
    z.object({
      id: z.string(),
      name: z.string().nullable(),
      // A school service of the release before sends none.
      avatar: z.string().nullable().default(null),
    }),
  ),
});

/** Whom others see behind what somebody wrote. */
export interface ShownPerson {
  readonly name: string | null;
  readonly avatar: string | null;
}

/** People who are asked for at once. */
const most = 100;

/** The names and avatars of members by id, as the school service knows them now; without those who are erased. */
export async function shownPeople(
  ports: AskingPorts,
  { school, issuer }: Pick<Call, 'school' | 'issuer'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ShownPerson>> {
  const wanted = [...new Set(ids)];
  const chunks = Array.from({ length: Math.ceil(wanted.length / most) }, (_, at) =>
    wanted.slice(at * most, (at + 1) * most),
  );
  const answers = await Promise.all(
    chunks.map((some) => askFor(ports, 'school', { kind: 'members-by-id', school, ids: some }, named)),
  );
  const members = answers.flatMap((answer) => answer?.members ?? []);
  const addressed = (avatar: string | null) => (isFileId(avatar) ? issuer + imagePath(avatar) : avatar);
  return new Map(members.map(({ id, name, avatar }) => [id, { name, avatar: addressed(avatar) }]));
}
