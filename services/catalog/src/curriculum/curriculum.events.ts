import type { EventOf, EventTypes } from '@lyceum/kernel';
import { fileReferenceEvents } from '@lyceum/contracts';
import { z } from 'zod';
import { lessonFields, outline, release } from '../lessons/lesson.fields.ts';

const id = z.string();

/** A quiz as it is kept: whoever wrote it was held to more. */
const quiz = z.object({
  questions: z.array(
    z.object({
      id,
      prompt: z.string(),
      choices: z.array(z.object({ id, text: z.string() })),
      answers: z.array(z.string()),
    }),
  ),
  max_attempts: z.int().nullable(),
});

const lesson = lessonFields.extend({ quiz: quiz.nullable() });

/** The facts of a curriculum, in a stream of the course. `outline` stands in them while the lesson is published. */
export const curriculumEvents = {
  SectionAdded: { version: 1, data: z.object({ section_id: id, title: z.string(), release, position: z.int() }) },
  SectionRenamed: { version: 1, data: z.object({ section_id: id, title: z.string() }) },
  SectionReleaseSet: { version: 1, data: z.object({ section_id: id, release }) },
  /** With all its lessons. */
  SectionRemoved: { version: 1, data: z.object({ section_id: id }) },
  LessonAdded: {
    version: 1,
    data: z.object({ lesson_id: id, section_id: id, position: z.int(), fields: lesson }),
  },
  LessonChanged: {
    version: 1,
    data: z.object({ lesson_id: id, fields: lesson.partial(), outline: outline.optional() }),
  },
  LessonPublished: { version: 1, data: z.object({ lesson_id: id, outline }) },
  LessonUnpublished: { version: 1, data: z.object({ lesson_id: id }) },
  LessonRemoved: { version: 1, data: z.object({ lesson_id: id }) },
  CurriculumReordered: {
    version: 1,
    data: z.object({ tree: z.array(z.object({ id, lessons: z.array(id) })) }),
  },
  /** Of its lessons. */
  ...fileReferenceEvents,
  /** How many published lessons there are now, and how long they take together, seconds. */
  CurriculumTotalled: { version: 1, data: z.object({ lesson_count: z.int(), duration_s: z.int() }) },
} as const satisfies EventTypes;

/** An event of a curriculum. */
export type CurriculumEvent = EventOf<typeof curriculumEvents>;
