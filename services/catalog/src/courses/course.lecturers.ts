import type { Documents } from '@lyceum/documents';
import { claimant, type Expectation, fold } from '@lyceum/eventlog';
import type { Call, Ports } from '@lyceum/web';
import { lecturerDecider, lecturerMember } from '../lecturers/lecturer.ts';
import { teaching, teachingStream } from '../teaching/teaching.ts';
import { courses } from './course.projection.ts';
import { courseDecider } from './course.ts';
import type { CourseRow } from './course.view.ts';

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

const most = 200;

/** The published courses that a lecturer teaches, at most 200, as far as the lists have them. */
export async function publishedBy(
  documents: Documents,
  school: string,
  lecturer: string,
): Promise<readonly CourseRow[]> {
  const where = [
    { field: 'lecturer_ids', has: lecturer },
    { field: 'status', is: 'published' },
  ];
  const { items } = await documents.query(courses, school, { where, limit: most });
  return items.map(({ body }) => body as unknown as CourseRow);
}

/** The published courses that count on a lecturer, as of now, each with the lecturers beside; and what that was read from. */
async function coursesCountingOn(
  { log, documents }: Pick<Ports, 'log' | 'documents'>,
  school: string,
  lecturer: string,
): Promise<{ readonly others: readonly (readonly string[])[]; readonly upon: readonly Expectation[] }> {
  const stream = teachingStream(lecturer);
  const { state: known, version } = await fold(log, teaching, school, stream);
  // What was published before there were such streams, only the lists tell.
  const listed = await publishedBy(documents, school, lecturer);
  const ids = [...new Set([...known, ...listed.map(({ id }) => id)])];
  const folded = await Promise.all(ids.map(async (id) => ({ id, ...(await fold(log, courseDecider, school, id)) })));
  const counting = folded.flatMap(({ id, state, version: at }) =>
    state.status === 'published' && state.lecturer_ids.includes(lecturer)
      ? [{ others: state.lecturer_ids.filter((other) => other !== lecturer), read: { stream: id, version: at } }]
      : [],
  );
  return {
    others: counting.map(({ others }) => others),
    upon: [{ stream, version }, ...counting.map(({ read }) => read)],
  };
}

/** What lecturers' profiles need of the courses that name them. */
export const coursesOfLecturers = {
  /** Ids of the public courses that the lecturer teaches, as far as the lists have them. */
  async publicCourses({ documents }: Pick<Ports, 'documents'>, school: string, lecturer: string): Promise<string[]> {
    return (await publishedBy(documents, school, lecturer)).filter(({ listed }) => listed).map(({ id }) => id);
  },
  /** Whether a published course has no other active lecturer, as of now, and the versions of all that this follows from. */
  async isNeeded(ports: Pick<Ports, 'log' | 'documents'>, school: string, lecturer: string) {
    const counting = await coursesCountingOn(ports, school, lecturer);
    const covers = await Promise.all(counting.others.map((others) => activeNow(ports, school, others)));
    const needed = covers.some(({ active }) => active.length === 0);
    return { needed, upon: [...counting.upon, ...covers.flatMap(({ upon }) => upon.slice(0, 1))] };
  },
};
