import type { EventContext } from '@lyceum/kernel';
import type { CurriculumEvent } from './curriculum.events.ts';
import type { LessonFields, Release } from '../lessons/lesson.fields.ts';

/** One lesson. */
export interface Lesson extends LessonFields {
  readonly id: string;
  readonly status: 'draft' | 'published';
  /** The version of the curriculum with which it last changed, wherever it stands. */
  readonly changed: number;
}

/** One section with its lessons, in order. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly release: Release;
  readonly lessons: readonly Lesson[];
  /** The version of the curriculum with which its title or release last changed. */
  readonly changed: number;
}

/** Published lessons, and the seconds that they take together. */
export interface Totals {
  readonly lesson_count: number;
  readonly duration_s: number;
}

/** What a course teaches, in order. */
export interface Curriculum extends Totals {
  readonly sections: readonly Section[];
  readonly version: number;
}

/** All lessons in their order, section by section. */
export const lessonsOf = ({ sections }: Pick<Curriculum, 'sections'>): readonly Lesson[] =>
  sections.flatMap(({ lessons }) => lessons);

const inserted = <T>(items: readonly T[], item: T, position: number): readonly T[] =>
  items.toSpliced(position, 0, item);

const inSection = (state: Curriculum, id: string, change: (section: Section) => Section): Curriculum => ({
  ...state,
  sections: state.sections.map((section) => (section.id === id ? change(section) : section)),
});

const eachLesson = (state: Curriculum, change: (lesson: Lesson) => readonly Lesson[]): Curriculum => ({
  ...state,
  sections: state.sections.map((section) => ({ ...section, lessons: section.lessons.flatMap(change) })),
});

const inLesson = (state: Curriculum, id: string, change: (lesson: Lesson) => Lesson): Curriculum =>
  eachLesson(state, (lesson) => [lesson.id === id ? change(lesson) : lesson]);

/** Folds an event as the log recorded it. */
export function evolve(
  state: Curriculum,
  event: CurriculumEvent,
  { version }: Pick<EventContext, 'version'>,
): Curriculum {
  return { ...apply(state, event, version), version };
}

/** The curriculum after events that are not recorded yet. */
export const afterAll = (state: Curriculum, events: readonly CurriculumEvent[]): Curriculum =>
  events.reduce((now, event) => evolve(now, event, { version: now.version + 1 }), state);

function apply(state: Curriculum, { type, data }: CurriculumEvent, changed: number): Curriculum {
  switch (type) {
    case 'SectionAdded': {
      const { section_id: id, title, release, position } = data;
      return { ...state, sections: inserted(state.sections, { id, title, release, lessons: [], changed }, position) };
    }
    case 'SectionRenamed':
      return inSection(state, data.section_id, (section) => ({ ...section, title: data.title, changed }));
    case 'SectionReleaseSet':
      return inSection(state, data.section_id, (section) => ({ ...section, release: data.release, changed }));
    case 'SectionRemoved':
      return { ...state, sections: state.sections.filter(({ id }) => id !== data.section_id) };
    case 'LessonAdded': {
      const lesson: Lesson = { ...data.fields, id: data.lesson_id, status: 'draft', changed };
      const put = (section: Section) => ({ ...section, lessons: inserted(section.lessons, lesson, data.position) });
      return inSection(state, data.section_id, put);
    }
    case 'LessonChanged':
      return inLesson(state, data.lesson_id, (lesson) => ({ ...lesson, ...data.fields, changed }) as Lesson);
    case 'LessonPublished':
      return inLesson(state, data.lesson_id, (lesson) => ({ ...lesson, status: 'published', changed }));
    case 'LessonUnpublished':
      return inLesson(state, data.lesson_id, (lesson) => ({ ...lesson, status: 'draft', changed }));
    case 'LessonRemoved':
      return eachLesson(state, (lesson) => (lesson.id === data.lesson_id ? [] : [lesson]));
    case 'CurriculumReordered':
      return reordered(state, data.tree);
    case 'FileReferenced':
    case 'FileReleased':
      return state;
    case 'CurriculumTotalled':
      return { ...state, ...data };
  }
}

/** One place of an order: a section and its lessons. */
export interface Place {
  readonly id: string;
  readonly lessons: readonly string[];
}

function reordered(state: Curriculum, tree: readonly Place[]): Curriculum {
  const lessons = new Map(lessonsOf(state).map((lesson) => [lesson.id, lesson]));
  const sections = new Map(state.sections.map((section) => [section.id, section]));
  return {
    ...state,
    sections: tree.map((place) => ({
      ...sections.get(place.id)!,
      lessons: place.lessons.map((id) => lessons.get(id)!),
    })),
  };
}

/** The totals that the lessons amount to. */
export function totalsOf(state: Curriculum): Totals {
  const published = lessonsOf(state).filter(({ status }) => status === 'published');
  return {
    lesson_count: published.length,
    duration_s: published.reduce((seconds, lesson) => seconds + lesson.duration_s, 0),
  };
}
