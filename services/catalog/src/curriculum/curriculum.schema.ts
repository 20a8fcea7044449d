import { z } from 'zod';
import { richTextInput } from '../values/rich-text.ts';
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
    file: field.file.optional(),
    quiz: quizReply.optional(),
  })
  .meta({ id: 'Lesson', description: 'A lesson of a course.' });

export type LessonReply = z.output<typeof lesson>;

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

export const sectionReply = section
  .extend({ course_id: z.string(), version, view })
  .meta({ id: 'Section', description: 'A section of a course.' });

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

export const addSectionBody = z
  .strictObject({ title: sectionFields.shape.title, release: release.optional(), position })
  .meta({ id: 'AddSection', example: { title: 'Paper and light' } });

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
  file: field.file.optional(),
  quiz: field.quiz.optional(),
};

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

export const changeLessonBody = z
  .strictObject({ title: field.title.optional(), type: field.type.optional(), ...settable })
  .meta({ id: 'ChangeLesson', description: 'What is left out stays.', example: { preview: true } });

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

export const curriculumParams = z.object({ course });
export const sectionParams = z.object({ course, section: id });
export const lessonParams = z.object({ course, lesson: id });
