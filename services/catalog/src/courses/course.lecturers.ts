import { claimant, type Expectation, fold } from '@lyceum/eventlog';
import type { Call, Ports } from '@lyceum/web';
import { lecturerDecider, lecturerMember } from '../lecturers/lecturer.ts';

type Asking = Pick<Call, 'school' | 'principal'>;

/** The id of the profile that the caller signs in as; undefined for everybody but linked lecturers. */
export async function profileOf(
  { school, principal }: Asking,
  { log }: Pick<Ports, 'log'>,
): Promise<string | undefined> {
  if (principal?.role !== 'lecturer') return undefined;
  return claimant(log, school, lecturerMember, principal.subject);
}

/** Those of the ids that are lecturers of the school and active, with the versions of their profiles, as of now. */
export async function activeNow(
  { log }: Pick<Ports, 'log'>,
  school: string,
  ids: readonly string[],
): Promise<{ readonly active: readonly string[]; readonly upon: readonly Expectation[] }> {
  const known = ids.filter((id) => id.startsWith('lecturer_'));
  const folded = await Promise.all(
    known.map(async (stream) => ({ stream, ...(await fold(log, lecturerDecider, school, stream)) })),
  );
  const active = folded.filter(({ state }) => state?.status === 'active');
  return {
    active: active.map(({ stream }) => stream),
    upon: active.map(({ stream, version }) => ({ stream, version })),
  };
}

/** Those of the ids that are lecturers of the school and active, as of now. */
export async function activeLecturers(
  ports: Pick<Ports, 'log'>,
  school: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  return (await activeNow(ports, school, ids)).active;
}
