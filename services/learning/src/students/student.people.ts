import { type AskingPorts, askFor } from '@lyceum/service';
import { Problem } from '@lyceum/web';
import { z } from 'zod';

const people = z.object({
  student_email_to_lecturers: z.boolean().default(false),
  members: z.array(
    z.object({
      id: z.string(),
      name: z.string().nullable(),
      email: z.string().nullable(),
      // A school service of the release before sends none.
      tags: z.array(z.string()).default([]),
    }),
  ),
});

/** What integration events do not carry: a member's name, e-mail address and tags, and whether lecturers may see the address. */
export type Person = z.output<typeof people>['members'][number] & { readonly isEmailForLecturers: boolean };

/** The members of these ids, at most 100, by id; without those whom the school service does not know, or who are erased. */
export async function peopleOf(
  ports: AskingPorts,
  school: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Person>> {
  if (ids.length === 0) return new Map();
  const answer = await askFor(ports, 'school', { kind: 'members-by-id', school, ids }, people);
  const isEmailForLecturers = answer?.student_email_to_lecturers ?? false;
  return new Map(answer?.members.map((person) => [person.id, { ...person, isEmailForLecturers }]));
}

/** What people are looked for by. */
export interface Wanted {
  /** Part of the name. */
  readonly q?: string | undefined;
  readonly tag?: string | undefined;
}

const found = z.object({ ids: z.array(z.string()), more: z.boolean() });

/** Which members are wanted: of these, at most 100, or of the whole school at most 200, and whether there are more. */
export async function wantedMembers(
  ports: AskingPorts,
  school: string,
  { q, tag }: Wanted,
  ids?: readonly string[],
): Promise<z.output<typeof found>> {
  const answer = await askFor(ports, 'school', { kind: 'members-matching', school, q, tag, ids }, found);
  if (!answer) throw new Problem('temporarily_unavailable', 'The school service cannot look for members yet');
  return answer;
}

const owned = z.object({ courses: z.array(z.string()) });

/** Ids of the courses that a lecturer may change, drafts too, as of now. */
export async function coursesOfLecturer(
  ports: AskingPorts,
  school: string,
  member: string,
): Promise<readonly string[]> {
  const answer = await askFor(ports, 'catalog', { kind: 'courses-of-lecturer', school, member }, owned);
  return answer?.courses ?? [];
}

/** As much of an e-mail address as lecturers see. */
export const maskedEmail = (email: string): string => `${[...email][0] ?? ''}***@${email.split('@').at(-1) ?? ''}`;
