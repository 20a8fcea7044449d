import type { FactOf } from '@lyceum/contracts';
import { fold } from '@lyceum/eventlog';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import type { Ports } from '@lyceum/web';
import { z } from 'zod';
import { curriculumEvents } from './curriculum.events.ts';
import { lessonsOf } from './curriculum.state.ts';
import { curriculumDecider, curriculumStream } from './curriculum.ts';

/** What other services hear of a curriculum: outlines of published lessons, how much they are, and where all stand; of drafts only ids. */
export function curriculumFact(recorded: RecordedEvent): FactOf<'catalog'> | undefined {
  if (!recorded.stream.startsWith('curriculum_')) return undefined;
  const course_id = recorded.stream.replace(/^curriculum_/, 'course_');
  const event = upcast(curriculumEvents, recorded);
  switch (event.type) {
    case 'LessonPublished':
      return { type: 'LessonPublished', data: { course_id, lesson_id: event.data.lesson_id, ...event.data.outline } };
    case 'LessonChanged': {
      const { lesson_id, outline } = event.data;
      return outline && { type: 'LessonChanged', data: { course_id, lesson_id, ...outline } };
    }
    case 'LessonUnpublished':
    case 'LessonRemoved':
      return { type: event.type, data: { course_id, lesson_id: event.data.lesson_id } };
    case 'SectionAdded': {
      const { section_id, release, position } = event.data;
      return { type: 'SectionAdded', data: { course_id, section_id, release, position } };
    }
    case 'LessonAdded': {
      const { lesson_id, section_id, position } = event.data;
      return { type: 'LessonAdded', data: { course_id, lesson_id, section_id, position } };
    }
    case 'SectionReleaseSet':
      return { type: 'SectionReleaseSet', data: { course_id, ...event.data } };
    case 'SectionRemoved':
      return { type: 'SectionRemoved', data: { course_id, ...event.data } };
    case 'CurriculumReordered':
      return { type: 'CurriculumReordered', data: { course_id, ...event.data } };
    case 'CurriculumTotalled':
      return { type: 'CurriculumTotalled', data: { course_id, ...event.data } };
    default:
      return undefined;
  }
}

const ofLesson = z.object({ school: z.string(), course: z.string(), lesson: z.string() });

/**
 * A published quiz with its right answers, for the service that grades it: ids only, no texts. Null when there is none.
 * `version`: of the curriculum with which the lesson last changed.
 */
export async function answerQuizOfLesson(question: unknown, { log }: Pick<Ports, 'log'>) {
  const { school, course, lesson: id } = ofLesson.parse(question);
  const { state } = await fold(log, curriculumDecider, school, curriculumStream(course));
  const lesson = lessonsOf(state).find((each) => each.id === id);
  if (lesson?.type !== 'quiz' || lesson.status !== 'published' || !lesson.quiz) return null;
  const { changed: version, pass_mark, quiz } = lesson;
  const questions = quiz.questions.map((each) => ({ ...each, choices: each.choices.map((choice) => choice.id) }));
  return {
    version,
    pass_mark,
    max_attempts: quiz.max_attempts,
    questions: questions.map(({ prompt: _prompt, ...each }) => each),
  };
}
