import { type Learner, isFileId } from '@lyceum/contracts';
import { fold, type Folded } from '@lyceum/eventlog';
import { type Call, type Ports, Problem, type Reply, asOf } from '@lyceum/web';
import type { Asking } from '@lyceum/service';
import type { View } from '@lyceum/web';
import { type Curriculum, type Lesson, type Section, lessonsOf } from './curriculum.state.ts';
import { curriculumDecider, curriculumStream } from './curriculum.ts';
import { curriculumDocument, type Reader } from './curriculum.view.ts';
import { completedLessons } from '../lessons/completions.ts';
import { entitlementOf } from '../lessons/entitlement.ts';
import { timezoneOf } from '../schools/known-schools.ts';

/** What a curriculum has to know of its course. */
interface CourseOfCurriculum {
  readonly id: string;
  readonly status: 'draft' | 'published' | 'unpublished' | 'archived';
  readonly access: string;
  readonly version: number;
}

/** A course as of now, and how much of it the caller sees. `shown`: as lists show it. */
export interface LoadedCourse {
  readonly course: CourseOfCurriculum;
  readonly view: View;
  shown(): { readonly lecturer_ids: readonly string[] };
}

/** Who asks, and when. */
export type AskingNow = Asking & Pick<Call, 'at' | 'issuer'>;

/**
 * Loads the course of an id or slug for a caller who may know of it, or has access to it; throws 404 otherwise. The owner
 * of courses gives it.
 */
export type LoadCourse = (
  call: AskingNow,
  ref: string,
  ports: Pick<Ports, 'log' | 'documents'>,
) => Promise<LoadedCourse>;

/** A curriculum as of now, with the course that it belongs to and who reads it. */
export interface LoadedCurriculum extends Folded<Curriculum>, Pick<LoadedCourse, 'course' | 'shown'> {
  readonly stream: string;
  readonly reader: Reader;
}

/** The curriculum of the course that an id or slug names, for a caller who may know of the course. Throws 404 otherwise. */
export async function loadCurriculum(
  loadCourse: LoadCourse,
  call: AskingNow,
  ref: string,
  ports: Pick<Ports, 'log' | 'documents' | 'files'>,
): Promise<LoadedCurriculum> {
  const { course, view, shown } = await loadCourse(call, ref, ports);
  const stream = curriculumStream(course.id);
  const folded = await fold(ports.log, curriculumDecider, call.school, stream);
  const member = view === 'staff' ? undefined : call.principal?.subject;
  const learner =
    member === undefined ? undefined : await learnerOf(call, ports, { ...folded.state, course: course.id, member });
  return {
    ...folded,
    stream,
    course,
    shown,
    reader: {
      view,
      open: course.access === 'open',
      learner,
      now: call.at,
      addressOf: (file) => ports.files?.addressOf(call, file),
    },
  };
}

/** Somebody who has access to a course; undefined for everybody else. Reads only what something in the curriculum waits for. */
async function learnerOf(
  { school, at: now }: Pick<Call, 'school' | 'at'>,
  ports: Pick<Ports, 'documents'>,
  { course, member, sections }: Pick<Curriculum, 'sections'> & { readonly course: string; readonly member: string },
): Promise<Learner | undefined> {
  const about = { school, member, course, now };
  const access = await entitlementOf(ports, about);
  if (!access) return undefined;
  const awaited = new Set(
    sections.flatMap(({ release, lessons }) =>
      [release, ...lessons.map((each) => each.release)].map(({ type }) => type),
    ),
  );
  const [completed, timezone] = await Promise.all([
    awaited.has('after_lesson') ? completedLessons(ports, about) : new Set<string>(),
    awaited.has('after_days') ? timezoneOf(ports, school) : 'UTC',
  ]);
  return { ...access, completed, timezone };
}

/** A curriculum, as its reader sees it, and where it belongs. */
export const wholeOf = ({ course, reader, state, version }: LoadedCurriculum) => ({
  ...curriculumDocument(reader, state),
  course_id: course.id,
  version,
  view: reader.view,
});

/**
 * The ETag, but for members: what they may read changes with their access and with time, without a new version. Addresses of
 * files end.
 */
export const taggedAs = (read: LoadedCurriculum): Reply => {
  const { observed, ...tagged } = asOf(read);
  if (read.reader.view === 'member') return { observed };
  const fleeting = lessonsOf(read.state).some(({ file }) => isFileId(file?.file_id));
  return { ...tagged, observed, ...(fleeting ? { fleeting } : {}) };
};

/** A section with its place. Throws 404 when there is none of that id. */
export function sectionOf(
  { sections }: Curriculum,
  id: string,
): { readonly section: Section; readonly position: number } {
  const position = sections.findIndex((each) => each.id === id);
  const section = sections[position];
  if (!section) throw new Problem('not_found');
  return { section, position };
}

/** A lesson with its section. Throws 404 when there is none of that id. */
export function lessonOf({ sections }: Curriculum, id: string): { readonly section: Section; readonly lesson: Lesson } {
  for (const section of sections)
    for (const lesson of section.lessons) if (lesson.id === id) return { section, lesson };
  throw new Problem('not_found');
}
