import { type Documents, rowAs } from '@lyceum/documents';
import { type Expectation, claimant, fold } from '@lyceum/eventlog';
import type { Call, Ports } from '@lyceum/web';
import { z } from 'zod';
import { lecturerMember } from '../lecturers/lecturer.ts';
import { entitlementOf } from '../lessons/entitlement.ts';
import { teaching, teachingStream } from '../teaching/teaching.ts';
import { viewOf, courseItemDocument, courseOf, type CourseRow } from './course.view.ts';
import { activeNow, courses, viewerOf, withCover } from './course.resource.ts';
import { courseItem } from './course.schema.ts';
import { type Course, exists } from './course.state.ts';
import { courseDecider } from './course.ts';

/** A course in something else that names it. */
export const courseExpansion = { scope: 'courses:read', reply: courseItem } as const;

/** Courses in something else that names them. */
export const coursesExpansion = { scope: 'courses:read', reply: z.array(courseItem) } as const;

/** The public courses of each of some lecturers, as far as the list has them, as the caller sees them. */
export async function shownCourses(
  call: Pick<Call, 'school' | 'issuer' | 'principal' | 'view'>,
  ports: Ports,
  lecturers: readonly string[],
) {
  const viewer = await viewerOf(call, ports);
  const published = await Promise.all(lecturers.map((id) => publishedBy(ports.documents, call.school, id)));
  return published.map((rows) =>
    rows
      .filter(({ listed }) => listed)
      .map((row) => withCover(courseItemDocument(courseOf(row), viewOf(viewer, row)), call.issuer)),
  );
}

type AskingNow = Pick<Call, 'school' | 'issuer' | 'principal' | 'view' | 'at'>;

/** The course that a curriculum belongs to, for a caller who may know of it or has access to it; throws 404 otherwise. */
export async function courseOfCurriculum(asking: AskingNow, ref: string, ports: Pick<Ports, 'log' | 'documents'>) {
  const { thing: course, view } = await courses.load(asking, ref, ports).catch(async (problem: unknown) => {
    const kept = await courseKept(asking, ref, ports);
    if (!kept) throw problem;
    return { thing: kept, view: 'member' } as const;
  });
  return { course, view, shown: () => withCover(courseItemDocument(course, view), asking.issuer) };
}

/** A course of this id that is public no longer, when the caller has access to it: access outlasts publication. */
async function courseKept(
  { school, principal, at: now }: AskingNow,
  course: string,
  ports: Pick<Ports, 'log' | 'documents'>,
): Promise<Course | undefined> {
  if (!principal || !course.startsWith('course_')) return undefined;
  if (!(await entitlementOf(ports, { school, member: principal.subject, course, now }))) return undefined;
  const { state } = await fold(ports.log, courseDecider, school, course);
  return exists(state) && (state.status === 'unpublished' || state.status === 'archived') ? state : undefined;
}

const ofLecturer = z.object({ school: z.string(), member: z.string() });

/** Ids of the courses that a member may change as a lecturer, drafts too, at most 400: for services that have things of courses. */
export async function answerCoursesOfLecturer(question: unknown, ports: Pick<Ports, 'log' | 'documents'>) {
  const { school, member } = ofLecturer.parse(question);
  const profile = await claimant(ports.log, school, lecturerMember, member);
  const found = await Promise.all([member, profile].map((owner) => coursesOf(ports.documents, school, owner)));
  return { courses: [...new Set(found.flat())] };
}

const named = z.object({
  school: z.string(),
  lecturers: z.array(z.string()).max(20),
  /** Null = none. */
  course: z.string().nullable(),
});

/** Which of some lecturers are active, and whether there is a course that is not put away, as of now: for services that name them. */
export async function answerNameable(question: unknown, { log }: Pick<Ports, 'log'>) {
  const { school, lecturers, course } = named.parse(question);
  const [active, found] = await Promise.all([
    activeNow({ log }, school, lecturers),
    course?.startsWith('course_') ? fold(log, courseDecider, school, course) : undefined,
  ]);
  const isThere = found !== undefined && exists(found.state) && found.state.status !== 'archived';
  return { lecturers: active.active, course: isThere };
}

const ofCourse = z.object({ school: z.string(), course: z.string() });

/** Whether completing a course earns a certificate, and its title, as of now; null when there is no such course. */
export async function answerCertificateOfCourse(question: unknown, { log }: Pick<Ports, 'log'>) {
  const { school, course } = ofCourse.parse(question);
  const { state } = await fold(log, courseDecider, school, course);
  return exists(state) ? { certificate: state.certificate, title: state.title } : null;
}

/** Ids of the courses that belong to somebody by a name that courses know them by. */
async function coursesOf(documents: Documents, school: string, owner: string | undefined): Promise<readonly string[]> {
  if (owner === undefined) return [];
  const where = [{ field: 'owners', has: owner }];
  const { items } = await documents.query(courses.collection, school, { where, limit: most });
  return items.map(({ id }) => id);
}

const most = 200;

/** The published courses that a lecturer teaches, at most 200, as far as the lists have them. */
async function publishedBy(documents: Documents, school: string, lecturer: string): Promise<readonly CourseRow[]> {
  const where = [
    { field: 'lecturer_ids', has: lecturer },
    { field: 'status', is: 'published' },
  ];
  const { items } = await documents.query(courses.collection, school, { where, limit: most });
  return items.map(({ body }) => rowAs<CourseRow>(body));
}

/** The published courses that count on a lecturer, as of now, each with the lecturers beside; and what that was read from. */
async function coursesCountingOn(
  { log, documents }: Pick<Ports, 'log' | 'documents'>,
  school: string,
  lecturer: string,
): Promise<{ readonly others: readonly (readonly string[])[]; readonly expectedVersions: readonly Expectation[] }> {
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
    expectedVersions: [{ stream, version }, ...counting.map(({ read }) => read)],
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
    return {
      needed,
      expectedVersions: [
        ...counting.expectedVersions,
        ...covers.flatMap(({ expectedVersions }) => expectedVersions.slice(0, 1)),
      ],
    };
  },
};
