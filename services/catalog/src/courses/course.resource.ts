import { type Document, type Incoming, type Projection, rowAs } from '@lyceum/documents';
import { claimant, type Expectation, fold } from '@lyceum/eventlog';
import { upcast } from '@lyceum/kernel';
import { type Asking, addressed, authors, resource } from '@lyceum/service';
import type { Ports, StatusTable } from '@lyceum/web';
import { curriculumEvents } from '../curriculum/curriculum.events.ts';
import { curriculumDecider, curriculumStream } from '../curriculum/curriculum.ts';
import { courseOfSeats, seatsDecider, seatsStream } from '../seats/seats.ts';
import { seatsEvents } from '../seats/seats.events.ts';
import { lecturerDecider, lecturerMember } from '../lecturers/lecturer.ts';
import { mayKnow, type Viewer, viewOf, courseDocument, courseOf, type CourseRow, rowOf } from './course.view.ts';
import { statuses } from './course.fields.ts';
import { courseItem, courseReply } from './course.schema.ts';
import { type Course, exists } from './course.state.ts';
import { type CourseCode, courseDecider, slugClaim } from './course.ts';

/** The id of the profile that the caller signs in as; undefined for everybody but linked lecturers. */
export async function profileOf(
  { school, principal }: Pick<Asking, 'school' | 'principal'>,
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
): Promise<{ readonly active: readonly string[]; readonly expectedVersions: readonly Expectation[] }> {
  const known = ids.filter((id) => id.startsWith('lecturer_'));
  const folded = await Promise.all(
    known.map(async (stream) => ({ stream, ...(await fold(log, lecturerDecider, school, stream)) })),
  );
  const active = folded.filter(({ state }) => state?.status === 'active');
  return {
    active: active.map(({ stream }) => stream),
    expectedVersions: active.map(({ stream, version }) => ({ stream, version })),
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

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const courseStatuses = {
  not_found: 404,
  slug_taken: 409,
  not_ready: 409,
  invalid_state: 409,
  validation_failed: 422,
} as const satisfies StatusTable<CourseCode>;

/** Who asks for courses: owners and admins manage all, lecturers their own. */
export async function viewerOf(asking: Asking, ports: Pick<Ports, 'log'>): Promise<Viewer> {
  const { principal, view } = asking;
  if (view !== 'staff') return { view, names: [], manages: 'none' };
  if (principal?.role !== 'lecturer') return { view, names: [], manages: 'all' };
  const profile = await profileOf(asking, ports);
  return { view, names: [principal.subject, ...(profile === undefined ? [] : [profile])], manages: 'own' };
}

/** A course with the whole address of its cover. */
export const withCover = addressed('cover');

/** Courses: listed ones are everybody's; lecturers see and change their own, and those who run the school all. */
export const courses = resource({
  noun: 'course',
  path: '/api/courses',
  area: 'courses',
  decider: courseDecider,
  present: (state): Course | null => (exists(state) ? state : null),
  slugs: slugClaim,
  statuses: courseStatuses,
  access: {
    writers: authors,
    refusal: 'This course is not one of yours',
    viewer: viewerOf,
    viewOf,
    mayKnow,
    rows(viewer) {
      if (viewer.manages === 'all') return [[]];
      return [[{ field: 'listed', is: true }], ...viewer.names.map((has) => [{ field: 'owners', has }])];
    },
  },
  reply: courseReply,
  item: courseItem,
  document: courseDocument,
  addressed: withCover,
  // The published lessons are in the stream of the curriculum, the seats that are taken in one of their own.
  async addition({ log }, school, course, thing) {
    const stream = curriculumStream(course);
    const seatsTaken = async (): Promise<number> => {
      // Most courses have no limit: nothing more is read for them.
      if (((await thing())?.seat_limit ?? null) === null) return 0;
      return (await fold(log, seatsDecider, school, seatsStream(course))).state.taken;
    };
    const [{ state, version }, seats_taken] = await Promise.all([
      fold(log, curriculumDecider, school, stream),
      seatsTaken(),
    ]);
    const { lesson_count, duration_s } = state;
    return { members: { lesson_count, duration_s, seats_taken }, read: { stream, version } };
  },
  // Seats are taken without another version of the course.
  isFleeting: ({ seat_limit }) => seat_limit !== null,
  list: {
    name: 'courses',
    version: 3,
    fields: {
      listed: 'boolean',
      owners: 'set',
      status: 'text',
      access: 'text',
      category: 'text',
      tags: 'set',
      lecturer_ids: 'set',
    },
    statuses,
    texts: ({ title, subtitle, summary, category, tags }) => [title, subtitle, summary, category, ...tags],
    row: rowOf,
    thing: (row) => courseOf(rowAs<CourseRow>(row)),
  },
});

/** The course that an event about its lessons or its seats belongs to; undefined for all other events. */
function courseBeside({ type, stream }: Incoming): string | undefined {
  if (type === 'CurriculumTotalled') return stream.replace(/^curriculum_/, 'course_');
  return type === 'SeatsCounted' ? courseOfSeats(stream) : undefined;
}

/** What such an event says of the course. */
function besideCourse(event: Incoming): object {
  if (event.type !== 'SeatsCounted') return upcast(curriculumEvents, event).data;
  const counted = upcast(seatsEvents, event);
  return counted.type === 'SeatsCounted' ? { seats_taken: counted.data.taken } : {};
}

/**
 * Folds each course's events into its row, with the number and the length of the lessons that a curriculum has now, and the
 * seats that are taken.
 */
export const courseProjection: Projection = {
  ...courses.projection,
  key: (event) => courseBeside(event) ?? courses.projection.key(event),
  project(event, before): Document | null {
    if (courseBeside(event) === undefined) return courses.projection.project(event, before);
    return before ? { ...before, ...besideCourse(event) } : null;
  },
};
