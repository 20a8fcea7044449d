import { claimant, fold } from '@lyceum/eventlog';
import type { Call, Ports } from '@lyceum/web';
import { lecturerDecider, lecturerMember } from './lecturer.ts';

type Asking = Pick<Call, 'school' | 'principal'>;

/** The id of the profile that the caller signs in as; undefined for everybody but linked lecturers. */
export async function profileOf(
  { school, principal }: Asking,
  { log }: Pick<Ports, 'log'>,
): Promise<string | undefined> {
  if (principal?.role !== 'lecturer') return undefined;
  return claimant(log, school, lecturerMember, principal.subject);
}

/** Those of the ids that are lecturers of the school and active, as of now. */
export async function activeLecturers(
  { log }: Pick<Ports, 'log'>,
  school: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const active = await Promise.all(
    ids.map(async (id) => {
      if (!id.startsWith('lecturer_')) return false;
      return (await fold(log, lecturerDecider, school, id)).state?.status === 'active';
    }),
  );
  return ids.filter((_, index) => active[index]);
}
