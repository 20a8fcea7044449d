import { z } from 'zod';
import { fileInputOrNone, fileToRead } from '../values/files.ts';
import { richTextInput } from '@lyceum/contracts';
import { reference } from '@lyceum/service';
import { lessonFields, outline, quizReply, release, sectionFields } from '../lessons/lesson.fields.ts';

const field = lessonFields.shape;
const staff = { sees: 'staff' } as const;
const version = z.int().min(0).meta({
  description:
    'Of the curriculum; also the ETag: send it in If-Match. A section or lesson is compared by itself: what else changed since does not matter.',
});
const view = z.enum(['anonymous', 'member', 'staff']).meta({ description: 'How much of it this is.' });

/** A lesson as clients read it. What it teaches is absent while it is locked. */
const lesson = z
  .object({
    id: z.string(),
    object: z.literal('lesson'),
    ...outline.shape,
    status: z.enum(['draft', 'published']).meta(staff),
    locked: z.boolean().meta({ description: 'Whether body, file, embed_url and quiz are kept back.' }),
    body: field.body.optional(),
    embed_url: field.embed_url.optional(),
    file: fileToRead.optional(),
    quiz: quizReply.optional(),
  })
  .meta({ id: 'Lesson', description: 'A lesson of a course.' });

/** A lesson as clients read it, after parsing. */
export type LessonReply = z.output<typeof lesson>;

/** A lesson alone, with the course that it belongs to. */
export const lessonReply = lesson
  .extend({ course_id: z.string(), section_id: z.string(), version, view })
  .meta({ id: 'LessonOfCourse', description: 'A lesson, and where it stands.' });

const section = z.object({
  id: z.string(),
  object: z.literal('section'),
  title: sectionFields.shape.title,
  release,
  position: z.int().min(0),
});

/** A section alone, with the course that it belongs to. */
export const sectionReply = section
  .extend({ course_id: z.string(), version, view })
  .meta({ id: 'Section', description: 'A section of a course.' });

/** All sections of a course with their lessons. */
export const curriculumReply = z
  .object({
    object: z.literal('curriculum'),
    course_id: z.string(),
    lesson_count: z.int().min(0).meta({ description: 'Published lessons.' }),
    duration_s: z.int().min(0).meta({ description: 'Seconds of all published lessons.' }),
    sections: z.array(section.extend({ lessons: z.array(lesson) }).meta({ id: 'CurriculumSection' })),
    version,
    view,
  })
  .meta({ id: 'Curriculum', description: 'What a course teaches: sections and their lessons, in order.' });

const position = z.int().min(0).max(1000).optional().meta({ description: 'From 0; left out or beyond = at the end.' });

/** The body that adds a section. */
export const addSectionBody = z
  .strictObject({ title: sectionFields.shape.title, release: release.optional(), position })
  .meta({ id: 'AddSection', example: { title: 'Paper and light' } });

/** The body that changes a section. */
export const changeSectionBody = z
  .strictObject({ title: sectionFields.shape.title.optional(), release: release.optional() })
  .meta({ id: 'ChangeSection', description: 'What is left out stays.', example: { title: 'Paper, wood and light' } });

const settable = {
  duration_s: field.duration_s.optional(),
  preview: field.preview.optional(),
  required: field.required.optional(),
  pass_mark: field.pass_mark.optional(),
  release: release.optional(),
  body: richTextInput.optional(),
  embed_url: field.embed_url.optional(),
  file: fileInputOrNone.optional(),
  quiz: field.quiz.optional(),
};

/** The body that adds a lesson. */
export const addLessonBody = z
  .strictObject({
    section_id: z.string().max(64),
    position,
    title: field.title,
    type: field.type.default('text'),
    ...settable,
  })
  .meta({
    id: 'AddLesson',
    description: 'A draft. Required, not a preview, and released at once, unless stated.',
    example: { section_id: 'section_1', title: 'Folding the frame', type: 'video', duration_s: 540 },
  });

/** The body that changes a lesson. */
export const changeLessonBody = z
  .strictObject({ title: field.title.optional(), type: field.type.optional(), ...settable })
  .meta({ id: 'ChangeLesson', description: 'What is left out stays.', example: { preview: true } });

/** The body that puts all sections and lessons into an order. */
export const orderBody = z
  .strictObject({
    sections: z
      .array(z.strictObject({ id: z.string().max(64), lessons: z.array(z.string().max(64)).max(1000) }))
      .max(200),
  })
  .meta({
    id: 'CurriculumOrder',
    description: 'Every section and every lesson exactly once, in the wanted order.',
    example: { sections: [{ id: 'section_1', lessons: ['lesson_2', 'lesson_1'] }] },
  });

const course = reference('course');
const id = z.string().max(64);

/** The course of a path, by id or slug. */
export const curriculumParams = z.object({ course });

/** The section of a path, by its id. */
export const sectionParams = z.object({ course, section: id });

/** The lesson of a path, by its id. */
export const lessonParams = z.object({ course, lesson: id });
