import type { ModulePorts } from '@lyceum/service';
import { Problem } from '@lyceum/web';
import { z } from 'zod';

/** What the service asks others with. */
export type AskingPorts = Pick<ModulePorts, 'ask' | 'logger'>;

/** Asks another service. Throws the 503 problem when it gives no answer. */
async function ask(
  { ask, logger }: AskingPorts,
  service: string,
  question: { kind: string; [about: string]: unknown },
) {
  try {
    return await ask?.(service, question);
  } catch (err) {
    logger.error({ err, service }, `a service does not answer ${question.kind}`);
    throw new Problem('temporarily_unavailable', `The ${service} service is awaited`, {
      headers: { 'Retry-After': '1' },
    });
  }
}

const people = z.object({
  student_email_to_lecturers: z.boolean().default(false),
  members: z.array(z.object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() })),
});

/** A member's name and e-mail address, which integration events do not carry, and whether lecturers may see the address. */
export type Person = z.output<typeof people>['members'][number] & { readonly isEmailForLecturers: boolean };

/** The members of these ids, by id; without those whom the school service does not know, or who are erased. */
export async function peopleOf(
  ports: AskingPorts,
  school: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Person>> {
  if (ids.length === 0) return new Map();
  const answer = people.safeParse(await ask(ports, 'school', { kind: 'members-by-id', school, ids }));
  const isEmailForLecturers = answer.data?.student_email_to_lecturers ?? false;
  return new Map(answer.data?.members.map((person) => [person.id, { ...person, isEmailForLecturers }]));
}

const owned = z.object({ courses: z.array(z.string()) });

/** Ids of the courses that a lecturer may change, drafts too, as of now. */
export async function coursesOfLecturer(
  ports: AskingPorts,
  school: string,
  member: string,
): Promise<readonly string[]> {
  const answer = owned.safeParse(await ask(ports, 'catalog', { kind: 'courses-of-lecturer', school, member }));
  return answer.data?.courses ?? [];
}

/** As much of an e-mail address as lecturers see. */
export const maskedEmail = (email: string): string => `${[...email][0] ?? ''}***@${email.split('@').at(-1) ?? ''}`;
