import type { FactOf, PublishedRelease } from '@lyceum/contracts';

type Fact<Type extends FactOf<'catalog'>['type']> = Extract<FactOf<'catalog'>, { type: Type }>;

/** What everybody may know of a published lesson. */
export type LessonOutline = Omit<Fact<'LessonPublished'>['data'], 'course_id' | 'lesson_id'>;

/** A lesson in its place; `outline` null = a draft. */
interface PlacedLesson {
  readonly id: string;
  readonly outline: LessonOutline | null;
}

/** A section in its place, with what it waits for. */
interface PlacedSection {
  readonly id: string;
  readonly release: PublishedRelease;
  readonly lessons: readonly PlacedLesson[];
}

/** What a course consists of, in order. The catalog service lets it have 200 sections and 1,000 lessons. */
export interface Outline {
  readonly sections: readonly PlacedSection[];
}

/** The outline of a course of which nothing was published. */
export const noOutline: Outline = { sections: [] };

/** What an outline follows from. */
export type OutlineFact = Fact<
  | 'SectionAdded'
  | 'SectionReleaseSet'
  | 'SectionRemoved'
  | 'LessonAdded'
  | 'LessonPublished'
  | 'LessonChanged'
  | 'LessonUnpublished'
  | 'LessonRemoved'
  | 'CurriculumReordered'
>;

/** Lessons that were published without their place having been: the catalog service of the release before told none. */
const unplaced: PlacedSection = { id: '', release: { type: 'immediate' }, lessons: [] };

type Change = (lessons: readonly PlacedLesson[], section: PlacedSection) => readonly PlacedLesson[];

const eachLessons = ({ sections }: Outline, change: Change): Outline => ({
  sections: sections.map((section) => ({ ...section, lessons: change(section.lessons, section) })),
});

const inLesson = (before: Outline, id: string, outline: LessonOutline | null): Outline =>
  eachLessons(before, (lessons) => lessons.map((lesson) => (lesson.id === id ? { id, outline } : lesson)));

function published(before: Outline, { data }: Fact<'LessonPublished' | 'LessonChanged'>): Outline {
  const { course_id: _course, lesson_id: id, ...outline } = data;
  if (before.sections.some(({ lessons }) => lessons.some((lesson) => lesson.id === id)))
    return inLesson(before, id, outline);
  const last = before.sections.find((section) => section.id === unplaced.id) ?? unplaced;
  const placed = before.sections.filter((section) => section !== last);
  return { sections: [...placed, { ...last, lessons: [...last.lessons, { id, outline }] }] };
}

function reordered({ sections }: Outline, { tree }: Fact<'CurriculumReordered'>['data']): Outline {
  const lessons = new Map(sections.flatMap((section) => section.lessons).map((lesson) => [lesson.id, lesson]));
  const known = new Map(sections.map((section) => [section.id, section]));
  return {
    sections: tree.map((place) => ({
      ...(known.get(place.id) ?? { ...unplaced, id: place.id }),
      lessons: place.lessons.map((id) => lessons.get(id) ?? { id, outline: null }),
    })),
  };
}

/** The outline after an integration event. */
export function outlineAfter(before: Outline, fact: OutlineFact): Outline {
  switch (fact.type) {
    case 'SectionAdded': {
      const { section_id: id, release, position } = fact.data;
      return { sections: before.sections.toSpliced(position, 0, { id, release, lessons: [] }) };
    }
    case 'SectionReleaseSet': {
      const { section_id, release } = fact.data;
      return { sections: before.sections.map((each) => (each.id === section_id ? { ...each, release } : each)) };
    }
    case 'SectionRemoved':
      return { sections: before.sections.filter(({ id }) => id !== fact.data.section_id) };
    case 'LessonAdded': {
      const { lesson_id: id, section_id, position } = fact.data;
      return eachLessons(before, (lessons, section) =>
        section.id === section_id ? lessons.toSpliced(position, 0, { id, outline: null }) : lessons,
      );
    }
    case 'LessonPublished':
    case 'LessonChanged':
      return published(before, fact);
    case 'LessonUnpublished':
      return inLesson(before, fact.data.lesson_id, null);
    case 'LessonRemoved':
      return eachLessons(before, (lessons) => lessons.filter(({ id }) => id !== fact.data.lesson_id));
    case 'CurriculumReordered':
      return reordered(before, fact.data);
  }
}
