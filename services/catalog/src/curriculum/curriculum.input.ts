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

/** What a body sets, without what it leaves out. */
export const changesOf = (body: z.output<typeof changeLessonBody>): Partial<LessonFields> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

/** A new lesson from what the client said; the rest is blank. */
export function newLesson(body: z.output<typeof addLessonBody>): LessonFields {
  const { section_id: _section, position: _position, ...fields } = body;
  return { ...blank, ...changesOf(fields) };
}
