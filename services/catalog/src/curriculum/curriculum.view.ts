import { type Learner, isReleased } from '@lyceum/contracts';
import type { FileAddress, View } from '@lyceum/web';
import type { KeptFile } from '../values/files.ts';
import type { LessonReply } from './curriculum.schema.ts';
import type { Curriculum, Lesson, Section } from './curriculum.state.ts';

/** Who reads a curriculum, and when. `open`: everybody may read what the course teaches. */
export interface Reader {
  readonly view: View;
  readonly open: boolean;
  /** Undefined = no access. */
  readonly learner: Learner | undefined;
  readonly now: string;
  /** Where the reader gets a file; asked only for what they may read. */
  addressOf(file: KeptFile): FileAddress | undefined;
}

type Shown = Omit<LessonReply, 'status'> & Partial<LessonReply>;

/** Whether the reader may read what a lesson teaches: drafts are the staff's, previews everybody's. */
export function isReadable({ view, open, learner, now }: Reader, section: Section, lesson: Lesson): boolean {
  if (view === 'staff') return true;
  if (lesson.status === 'draft') return false;
  if (lesson.preview || open) return true;
  return learner !== undefined && [section, lesson].every(({ release }) => isReleased(release, learner, now));
}

/** A quiz without its answers, which no learner's view has. */
const withoutAnswers = (quiz: Lesson['quiz']) =>
  quiz && { ...quiz, questions: quiz.questions.map(({ answers: _kept, ...question }) => question) };

const noAddress = { url: null, url_expires_at: null };

const fileFor = ({ addressOf }: Reader, file: Lesson['file']) => file && { ...file, ...(addressOf(file) ?? noAddress) };

/** A lesson as the reader sees it. What is kept back is absent, not null. */
export function lessonDocument(reader: Reader, section: Section, lesson: Lesson): Shown {
  const { status, body, embed_url, file, quiz, ...outline } = lesson;
  const readable = isReadable(reader, section, lesson);
  const shown = reader.view === 'staff' ? quiz : withoutAnswers(quiz);
  return {
    ...outline,
    object: 'lesson',
    locked: !readable,
    ...(reader.view === 'staff' ? { status } : {}),
    ...(readable ? { body, embed_url, file: fileFor(reader, file), quiz: shown as LessonReply['quiz'] } : {}),
  };
}

/** Whether the reader may know that a lesson exists. */
export const mayKnow = ({ view }: Reader, { status }: Lesson): boolean => view === 'staff' || status === 'published';

/** A section without its lessons. */
export const sectionDocument = ({ id, title, release }: Section, position: number) => ({
  id,
  object: 'section' as const,
  title,
  release,
  position,
});

/** A curriculum as the reader sees it: others than staff see published lessons, and sections that have one. */
export function curriculumDocument(reader: Reader, { sections, ...totals }: Curriculum) {
  const known = sections
    .map((section) => ({ section, lessons: section.lessons.filter((lesson) => mayKnow(reader, lesson)) }))
    .filter(({ lessons }) => reader.view === 'staff' || lessons.length > 0);
  return {
    object: 'curriculum' as const,
    ...totals,
    sections: known.map(({ section, lessons }, position) => ({
      ...sectionDocument(section, position),
      lessons: lessons.map((lesson) => lessonDocument(reader, section, lesson)),
    })),
  };
}
