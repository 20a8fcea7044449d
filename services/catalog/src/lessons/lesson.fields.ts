import { httpsUrl, instant, line, richText } from '@lyceum/contracts';
import { z } from 'zod';
import { keptFile } from '../values/files.ts';

const lessonTypes = ['video', 'audio', 'text', 'pdf', 'file', 'embed', 'quiz', 'live'] as const;

const day = 86_400;

/** When a lesson or section opens, counted from the start of somebody's access. */
export const release = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('immediate') }).meta({ id: 'ReleaseImmediate' }),
    z.strictObject({ type: z.literal('after_days'), days: z.int().min(1).max(3650) }).meta({ id: 'ReleaseAfterDays' }),
    z.strictObject({ type: z.literal('at'), time: instant() }).meta({ id: 'ReleaseAt' }),
    z
      .strictObject({ type: z.literal('after_lesson'), lesson_id: z.string().max(64) })
      .meta({ id: 'ReleaseAfterLesson' }),
  ])
  .meta({
    id: 'Release',
    description: 'When it opens: at once, days after access began, at a time, or after an earlier lesson.',
  });

/** When a lesson or section opens, after parsing. */
export type Release = z.output<typeof release>;

const choice = z
  .strictObject({ id: z.string().regex(/^[a-z0-9_-]{1,20}$/), text: line(1, 500) })
  .meta({ id: 'QuizChoice' });

const distinct = (items: readonly { readonly id: string }[]): boolean =>
  new Set(items.map(({ id }) => id)).size === items.length;

const question = z.strictObject({
  id: z.string().regex(/^[a-z0-9_-]{1,20}$/),
  prompt: line(1, 1000),
  choices: z.array(choice).min(2).max(20).refine(distinct, 'must have different ids'),
  answers: z
    .array(z.string())
    .min(1)
    .max(20)
    .meta({ sees: 'staff', description: 'Ids of the right choices. Never shown to those who learn.' }),
});

const answerable = ({ choices, answers }: z.output<typeof question>): boolean =>
  new Set(answers).size === answers.length && answers.every((id) => choices.some((each) => each.id === id));

/** A quiz as the staff write it. */
const quiz = z.strictObject({
  questions: z
    .array(question.refine(answerable, 'answers must name choices, each once'))
    .min(1)
    .max(200)
    .refine(distinct, 'must have different ids'),
  max_attempts: z.int().min(1).max(100).nullable().meta({ description: 'null = any number.' }),
});

/** A quiz as it is read. */
export const quizReply = z
  .object({
    questions: z.array(z.object(question.shape).meta({ id: 'QuizQuestion' })),
    max_attempts: quiz.shape.max_attempts,
  })
  .nullable()
  .meta({ id: 'Quiz' });

/** What describes a lesson. */
export const lessonFields = z.object({
  title: line(1, 200).meta({ example: 'Folding the frame' }),
  type: z.enum(lessonTypes),
  duration_s: z
    .int()
    .min(0)
    .max(30 * day)
    .meta({ description: 'Seconds.', example: 540 }),
  preview: z.boolean().meta({ description: 'Whether everybody may read it.' }),
  required: z.boolean().meta({ description: 'Whether completing the course needs it.' }),
  pass_mark: z.int().min(0).max(100).nullable().meta({ description: 'Per cent that pass a quiz.' }),
  release,
  body: richText,
  embed_url: httpsUrl().nullable(),
  file: keptFile.nullable(),
  quiz: quiz.nullable().meta({ id: 'SetQuiz' }),
});

/** What describes a lesson, after parsing. */
export type LessonFields = z.output<typeof lessonFields>;

/** What describes a section. */
export const sectionFields = z.object({ title: line(1, 200).meta({ example: 'Paper and light' }), release });

/** What everybody may know of a lesson. */
export const outlineNames = ['title', 'type', 'duration_s', 'preview', 'required', 'pass_mark', 'release'] as const;

/** The members of a lesson that everybody may know. */
export const outline = lessonFields.pick({
  title: true,
  type: true,
  duration_s: true,
  preview: true,
  required: true,
  pass_mark: true,
  release: true,
});
