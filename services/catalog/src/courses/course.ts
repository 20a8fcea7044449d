import { referenceEvents } from '@lyceum/contracts';
import { type Decider, type Rejection, reject } from '@lyceum/kernel';
import { same } from '@lyceum/kernel';
import { priceFaults, type WantedPrice } from '../values/prices.ts';
import { changeEvents, type Changes, newlyUnmet, unmet, sideEventsOfTeaching } from './course.rules.ts';
import { type CourseEvent, courseEvents } from './course.events.ts';
import type { CourseFields } from './course.fields.ts';
import { apply, type Course, type CourseState, evolve, exists } from './course.state.ts';

/** What can be asked of a course. `currency` is the school's. */
export type CourseCommand =
  | {
      readonly type: 'CreateCourse';
      readonly id: string;
      readonly by: string;
      readonly slug: string;
      readonly fields: CourseFields;
      readonly prices: readonly WantedPrice[];
      readonly seat_limit: number | null;
      readonly lecturer_ids: readonly string[];
      readonly cover_file?: string | null;
      readonly copied_from?: string | undefined;
      readonly currency: string;
    }
  | {
      readonly type: 'ChangeCourse';
      readonly changes: Changes;
      readonly currency: string;
      /** Those of its lecturers, as they are and as they shall be, who are active; left out when they stay. */
      readonly active?: readonly string[];
    }
  | {
      readonly type: 'PublishCourse';
      readonly currency: string;
      /** How many published lessons there are. */
      readonly lesson_count: number;
      /** Those of its lecturers who are active. */
      readonly active: readonly string[];
    }
  | { readonly type: 'UnpublishCourse' }
  | { readonly type: 'ArchiveCourse' }
  | { readonly type: 'DeleteCourse' };

type Command<T extends CourseCommand['type']> = Extract<CourseCommand, { type: T }>;

/** What a command to a course can be rejected for. */
export type CourseCode = 'not_found' | 'slug_taken' | 'validation_failed' | 'not_ready' | 'invalid_state';

/** Why a course refuses a command. */
export type CourseRejection = Rejection<CourseCode>;

type Decision = readonly CourseEvent[] | CourseRejection;

function decide(command: CourseCommand, state: CourseState): Decision {
  if (command.type === 'CreateCourse') return create(command, state);
  if (!exists(state)) return reject('not_found', 'There is no such course');
  switch (command.type) {
    case 'ChangeCourse':
      return change(command, state);
    case 'PublishCourse':
      return publish(command, state);
    case 'UnpublishCourse':
      return unpublish(state);
    case 'ArchiveCourse':
      return archive(state);
    case 'DeleteCourse':
      return remove(state);
  }
}

function create(command: Command<'CreateCourse'>, state: CourseState): Decision {
  if (state.status !== 'absent') return reject('invalid_state', 'The course exists already');
  const { id, slug, fields, by, copied_from, prices, seat_limit, lecturer_ids, cover_file = null, currency } = command;
  const created: CourseEvent = {
    type: 'CourseCreated',
    data: { course_id: id, slug, fields, created_by: by, ...(copied_from === undefined ? {} : { copied_from }) },
  };
  const blank = apply(state, created) as Course;
  const more = changed(blank, { prices, seat_limit, lecturer_ids, cover_file }, currency);
  return 'rejected' in more ? more : [created, ...more];
}

function change(command: Command<'ChangeCourse'>, course: Course): Decision {
  if (course.status === 'archived') return reject('invalid_state', 'An archived course cannot be changed');
  return changed(course, command.changes, command.currency, command.active);
}

/** A course with only those of its lecturers who are active. */
const withActive = (course: Course, active: readonly string[] = course.lecturer_ids): Course => ({
  ...course,
  lecturer_ids: course.lecturer_ids.filter((id) => active.includes(id)),
});

/** The events of a change, if the course that they lead to is sound. */
function changed(before: Course, changes: Changes, currency: string, active?: readonly string[]): Decision {
  const faults = priceFaults(before.prices, changes.prices ?? [], currency);
  if (faults.length > 0) return reject('validation_failed', 'A price is not acceptable', faults);
  const wanted = changeEvents(before, changes);
  const after = wanted.reduce<CourseState>(apply, before) as Course;
  if (!opensBeforeItCloses(after))
    return reject('validation_failed', 'Enrollment must close after it opens', [
      { path: 'enrollment_closes_at', code: 'not_after_open', message: 'must be after enrollment_opens_at' },
    ]);
  const broken =
    before.status === 'published' ? newlyUnmet(withActive(before, active), withActive(after, active), currency) : [];
  if (broken.length > 0) return reject('not_ready', 'A published course must stay complete', broken);
  const events = [...wanted, ...referenceEvents([before.cover_file], [after.cover_file])];
  if (before.status !== 'published' || same(shown(before), shown(after))) return events;
  return [...events, shown(after)];
}

/** What others show and sell of a course. */
function shown(course: Course): CourseEvent {
  const { slug, title, summary, access, listing, seat_limit, access_days } = course;
  const prices = course.prices.map((price) => ({ ...price }));
  const lecturer_ids = [...course.lecturer_ids];
  const data = {
    slug,
    title,
    summary,
    access,
    listed: listing === 'listed',
    prices,
    seat_limit,
    lecturer_ids,
    access_days,
  };
  return {
    type: 'CourseShown',
    data: { ...data, ...unseen({ ...course, ever_listed: course.ever_listed || data.listed }) },
  };
}

/** The mark of a course that nobody ever found in the lists, by which the public is told nothing of it. */
const unseen = ({ ever_listed }: Course): { never_listed?: true } => (ever_listed ? {} : { never_listed: true });

const opensBeforeItCloses = ({ enrollment_opens_at: opens, enrollment_closes_at: closes }: Course): boolean =>
  opens === null || closes === null || closes > opens;

function publish({ currency, lesson_count, active }: Command<'PublishCourse'>, course: Course): Decision {
  if (course.status === 'published') return [];
  if (course.status === 'archived') return reject('invalid_state', 'An archived course cannot be published');
  const missing = unmet({ ...course, lesson_count, lecturer_ids: active }, currency);
  if (missing.length > 0) return reject('not_ready', 'The course is not complete', missing);
  const { slug, title, access, listing } = course;
  return [{ type: 'CoursePublished', data: { slug, title, access, listed: listing === 'listed' } }, shown(course)];
}

function unpublish(course: Course): Decision {
  if (course.status === 'unpublished') return [];
  if (course.status !== 'published') return reject('invalid_state', `A course that is ${course.status} is not public`);
  return [{ type: 'CourseUnpublished', data: unseen(course) }];
}

function archive(course: Course): Decision {
  if (course.status === 'archived') return [];
  if (course.status === 'draft') return reject('invalid_state', 'A draft was never public: delete it instead');
  const archived: CourseEvent = { type: 'CourseArchived', data: unseen(course) };
  return course.status === 'published' ? [{ type: 'CourseUnpublished', data: unseen(course) }, archived] : [archived];
}

function remove(course: Course): Decision {
  if (course.published_at !== null)
    return reject('invalid_state', 'A course that was published is archived, not deleted');
  return [...referenceEvents([course.cover_file], []), { type: 'CourseDeleted', data: {} }];
}

/** The kind of claim that keeps course slugs unique in a school. */
export const slugClaim = 'course_slug';

/** A course: its stream is its id. */
export const courseDecider: Decider<CourseState, CourseCommand, CourseEvent, CourseCode> = {
  events: courseEvents,
  initial: { status: 'absent' },
  snapshot: { version: 3 },
  decide,
  evolve,
  sideEvents: sideEventsOfTeaching,
  claims: (event) =>
    event.type === 'CourseCreated' || event.type === 'CourseSlugChanged'
      ? [{ kind: slugClaim, value: event.data.slug, rejected: 'slug_taken' }]
      : [],
  // A rename keeps the old slug as a redirect; only a course that was never public gives its slugs back.
  releases: (event, before) =>
    event.type === 'CourseDeleted' && exists(before) ? before.slugs.map((value) => ({ kind: slugClaim, value })) : [],
};
