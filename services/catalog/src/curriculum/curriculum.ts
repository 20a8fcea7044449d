import { referenceEvents } from '@lyceum/contracts';
import { type Decider, type Rejection, differences, reject, same } from '@lyceum/kernel';
import { type CurriculumEvent, curriculumEvents } from './curriculum.events.ts';
import { type LessonFields, outlineNames, type Release } from '../lessons/lesson.fields.ts';
import {
  afterAll,
  type Curriculum,
  evolve,
  type Lesson,
  lessonsOf,
  type Place,
  type Section,
  totalsOf,
} from './curriculum.state.ts';

/** The versions of which the client read the section or lesson in one (`If-Match`): it must not have changed since. */
interface Reading {
  readonly seen?: readonly number[] | undefined;
}

/** What can be asked of a curriculum. `live`: the course is published. A missing position means the end. */
export type CurriculumCommand =
  | {
      readonly type: 'AddSection';
      readonly id: string;
      readonly title: string;
      readonly release: Release;
      readonly position?: number | undefined;
    }
  | (Reading & {
      readonly type: 'ChangeSection';
      readonly id: string;
      readonly title?: string | undefined;
      readonly release?: Release | undefined;
    })
  | (Reading & { readonly type: 'RemoveSection'; readonly id: string; readonly live: boolean })
  | {
      readonly type: 'AddLesson';
      readonly id: string;
      readonly section_id: string;
      readonly position?: number | undefined;
      readonly fields: LessonFields;
    }
  | (Reading & { readonly type: 'ChangeLesson'; readonly id: string; readonly fields: Partial<LessonFields> })
  | (Reading & { readonly type: 'PublishLesson'; readonly id: string })
  | (Reading & { readonly type: 'UnpublishLesson' | 'RemoveLesson'; readonly id: string; readonly live: boolean })
  | { readonly type: 'Reorder'; readonly tree: readonly Place[] }
  /** The course was deleted: its files are named by nothing any more. */
  | { readonly type: 'ReleaseFiles' }
  | { readonly type: 'CopyCurriculum'; readonly from: Curriculum; newId(of: string): string };

type Command<T extends CurriculumCommand['type']> = Extract<CurriculumCommand, { type: T }>;

/** What a command to a curriculum can be rejected for. */
export type CurriculumCode =
  'not_found' | 'cycle' | 'order_mismatch' | 'last_lesson' | 'invalid_state' | 'not_ready' | 'precondition_failed';

type Decision = readonly CurriculumEvent[] | Rejection<CurriculumCode>;

const most = { sections: 200, lessons: 1000 };

/** What everybody may know of a lesson. */
const outlineOf = (lesson: LessonFields) =>
  Object.fromEntries(outlineNames.map((name) => [name, lesson[name]])) as Pick<
    LessonFields,
    (typeof outlineNames)[number]
  >;

function decide(command: CurriculumCommand, state: Curriculum): Decision {
  if (command.type === 'ReleaseFiles') return referencesBetween(state, nothing);
  const wanted = wish(command, state);
  if ('rejected' in wanted || wanted.length === 0) return wanted;
  const next = afterAll(state, wanted);
  const fault = faultOf(next);
  if (fault) return fault;
  const totals = totalsOf(next);
  if ('live' in command && command.live && state.lesson_count > 0 && totals.lesson_count === 0)
    return reject('last_lesson', 'A published course keeps at least one published lesson');
  const { lesson_count, duration_s } = state;
  const events = [...wanted, ...referencesBetween(state, next)];
  return same(totals, { lesson_count, duration_s })
    ? events
    : [...events, { type: 'CurriculumTotalled', data: totals }];
}

/** The files that lessons begin to name and name no longer from one curriculum to another. */
function referencesBetween(before: Curriculum, after: Curriculum): readonly CurriculumEvent[] {
  const filesOf = (of: Curriculum) =>
    new Map(lessonsOf(of).flatMap(({ id, file }) => (file ? [[id, file.file_id]] : [])));
  const [were, are] = [filesOf(before), filesOf(after)];
  return [...new Set([...are.keys(), ...were.keys()])].flatMap((id) =>
    referenceEvents([were.get(id)], [are.get(id)], id),
  );
}

/** The events of a command, before the curriculum that they lead to is looked at. */
function wish(command: Exclude<CurriculumCommand, { readonly type: 'ReleaseFiles' }>, state: Curriculum): Decision {
  switch (command.type) {
    case 'AddSection': {
      const { id: section_id, title, release, position = Infinity } = command;
      const place = Math.min(position, state.sections.length);
      return [{ type: 'SectionAdded', data: { section_id, title, release, position: place } }];
    }
    case 'AddLesson':
      return added(command, state);
    case 'Reorder':
      return reorder(command, state);
    case 'CopyCurriculum':
      return state.sections.length > 0 ? reject('invalid_state', 'There is a curriculum already') : copied(command);
    case 'ChangeSection':
    case 'RemoveSection':
      return ofSection(command, state);
    default:
      return ofLesson(command, state);
  }
}

function added({ id, section_id, position = Infinity, fields }: Command<'AddLesson'>, state: Curriculum): Decision {
  const section = state.sections.find((each) => each.id === section_id);
  if (!section) return reject('not_found', 'There is no such section');
  const place = Math.min(position, section.lessons.length);
  return [{ type: 'LessonAdded', data: { lesson_id: id, section_id, position: place, fields } }];
}

function ofSection(command: Command<'ChangeSection' | 'RemoveSection'>, state: Curriculum): Decision {
  const section_id = command.id;
  const section = state.sections.find(({ id }) => id === section_id);
  if (!section) return reject('not_found', 'There is no such section');
  const parts = command.type === 'RemoveSection' ? [section, ...section.lessons] : [section];
  if (!isAsSeen(parts, command, state)) return changedSince('section');
  if (command.type === 'RemoveSection') return [{ type: 'SectionRemoved', data: { section_id } }];
  const { title = section.title, release = section.release } = command;
  return [
    ...(title === section.title ? [] : [{ type: 'SectionRenamed', data: { section_id, title } } as const]),
    ...(same(release, section.release) ? [] : [{ type: 'SectionReleaseSet', data: { section_id, release } } as const]),
  ];
}

type OfLesson = Command<'ChangeLesson' | 'PublishLesson' | 'UnpublishLesson' | 'RemoveLesson'>;

function ofLesson(command: OfLesson, state: Curriculum): Decision {
  const lesson_id = command.id;
  const lesson = lessonsOf(state).find(({ id }) => id === lesson_id);
  if (!lesson) return reject('not_found', 'There is no such lesson');
  if (!isAsSeen([lesson], command, state)) return changedSince('lesson');
  switch (command.type) {
    case 'ChangeLesson':
      return changed(lesson, command.fields);
    case 'PublishLesson':
      if (lesson.status === 'published') return [];
      if (lesson.type === 'quiz' && !lesson.quiz) return reject('not_ready', 'A quiz needs its questions');
      return [{ type: 'LessonPublished', data: { lesson_id, outline: outlineOf(lesson) } }];
    case 'UnpublishLesson':
      return lesson.status === 'draft' ? [] : [{ type: 'LessonUnpublished', data: { lesson_id } }];
    case 'RemoveLesson':
      return [{ type: 'LessonRemoved', data: { lesson_id } }];
  }
}

/** Whether none of the parts has changed since the client read them, whatever else of the curriculum has. */
function isAsSeen(parts: readonly (Section | Lesson)[], { seen }: Reading, { version }: Curriculum): boolean {
  const changed = Math.max(...parts.map((part) => part.changed));
  return seen === undefined || seen.some((each) => changed <= each && each <= version);
}

const changedSince = (part: 'section' | 'lesson') =>
  reject('precondition_failed', `The ${part} has changed since the version in If-Match: read it again`);

function changed(lesson: Lesson, wanted: Partial<LessonFields>): Decision {
  const fields = differences(lesson, wanted);
  if (!fields) return [];
  const next = { ...lesson, ...fields };
  if (lesson.status === 'published' && next.type === 'quiz' && !next.quiz)
    return reject('not_ready', 'A published quiz keeps its questions');
  const outline = lesson.status === 'published' ? { outline: outlineOf(next) } : {};
  return [{ type: 'LessonChanged', data: { lesson_id: lesson.id, fields, ...outline } }];
}

function reorder({ tree }: Command<'Reorder'>, state: Curriculum): Decision {
  const ids = (places: readonly Place[]) => places.flatMap(({ id, lessons }) => [id, ...lessons]).toSorted();
  const now = state.sections.map(({ id, lessons }) => ({ id, lessons: lessons.map((lesson) => lesson.id) }));
  const sections = (places: readonly Place[]) => places.map(({ id }) => id).toSorted();
  if (!same(ids(tree), ids(now)) || !same(sections(tree), sections(now)))
    return reject('order_mismatch', 'The order must name every section and every lesson exactly once');
  return same(tree, now)
    ? []
    : [
        {
          type: 'CurriculumReordered',
          data: { tree: [...tree].map((place) => ({ id: place.id, lessons: [...place.lessons] })) },
        },
      ];
}

/** The same lessons under ids of their own, published where they were. */
function copied({ from, newId }: Command<'CopyCurriculum'>): Decision {
  const moved = (release: Release): Release =>
    release.type === 'after_lesson' ? { ...release, lesson_id: newId(release.lesson_id) } : release;
  return from.sections.flatMap((section, position): readonly CurriculumEvent[] => {
    const section_id = newId(section.id);
    const { title, release } = section;
    return [
      { type: 'SectionAdded', data: { section_id, title, release: moved(release), position } },
      ...section.lessons.flatMap(({ id, status, changed: _changed, ...lesson }, place): readonly CurriculumEvent[] => {
        const lesson_id = newId(id);
        const fields = { ...lesson, release: moved(lesson.release) };
        const outline = outlineOf(fields);
        return [
          { type: 'LessonAdded', data: { lesson_id, section_id, position: place, fields } },
          ...(status === 'published' ? [{ type: 'LessonPublished', data: { lesson_id, outline } } as const] : []),
        ];
      }),
    ];
  });
}

/** What is wrong with a curriculum: it is too large, or something waits for a lesson that does not come before it. */
function faultOf({ sections }: Curriculum): Rejection<CurriculumCode> | undefined {
  if (sections.length > most.sections || lessonsOf({ sections }).length > most.lessons)
    return reject('invalid_state', `At most ${most.sections} sections and ${most.lessons} lessons`);
  const before = new Set<string>();
  const waits = ({ release }: { readonly release: Release }) =>
    release.type === 'after_lesson' && !before.has(release.lesson_id);
  for (const section of sections) {
    if (waits(section)) return waiting(section.title);
    for (const lesson of section.lessons) {
      if (waits(lesson)) return waiting(lesson.title);
      before.add(lesson.id);
    }
  }
  return undefined;
}

const waiting = (title: string) => reject('cycle', `"${title}" would wait for a lesson that does not come before it`);

/** The stream of a course's curriculum. */
export const curriculumStream = (course: string): string => course.replace(/^course_/, 'curriculum_');

const nothing: Curriculum = { sections: [], lesson_count: 0, duration_s: 0, version: 0 };

/** The curriculum of a course. */
export const curriculumDecider: Decider<Curriculum, CurriculumCommand, CurriculumEvent, CurriculumCode> = {
  events: curriculumEvents,
  initial: nothing,
  snapshot: { version: 2 },
  decide,
  evolve,
};
