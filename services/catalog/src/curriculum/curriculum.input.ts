import type { z } from 'zod';
import type { LessonFields } from '../lessons/lesson.fields.ts';
import type { addLessonBody, changeLessonBody } from './curriculum.schema.ts';

const blank: LessonFields = {
  title: '',
  type: 'text',
  duration_s: 0,
  preview: false,
  required: true,
  pass_mark: null,
  release: { type: 'immediate' },
  body: [],
  embed_url: null,
  file: null,
  quiz: null,
};

/** The file of a lesson as it is kept; nothing when nothing is said of it. */
export type LessonFile = Partial<Pick<LessonFields, 'file'>>;

/** What a body sets, without what it leaves out. `file`: what it means by a file. */
export function changesOf(body: z.output<typeof changeLessonBody>, file: LessonFile = {}): Partial<LessonFields> {
  const { file: _said, ...rest } = body;
  return { ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)), ...file };
}

/** A new lesson from what the client said; the rest is blank. */
export function newLesson(body: z.output<typeof addLessonBody>, file: LessonFile = {}): LessonFields {
  const { section_id: _section, position: _position, ...fields } = body;
  return { ...blank, ...changesOf(fields, file) };
}
