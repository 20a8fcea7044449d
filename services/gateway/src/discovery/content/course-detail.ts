import { z } from 'zod';
import type { ReadApi } from '../../upstream/school-api.ts';
import type { Offer } from './offers.ts';

const lesson = z.object({ title: z.string(), duration_s: z.int().default(0), preview: z.boolean().default(false) });
const section = z.object({ title: z.string(), lessons: z.array(lesson) });
const lecturer = z.object({ display_name: z.string(), title: z.string().nullish() });

const course = z.object({
  title: z.string(),
  subtitle: z.string().nullish(),
  summary: z.string().nullish(),
  /** Blocks of rich text. */
  description: z.array(z.unknown()).default([]),
  level: z.string().nullish(),
  language: z.string().nullish(),
  certificate: z.boolean().default(false),
  duration_s: z.int().default(0),
  lecturers: z.array(lecturer).default([]),
  curriculum: z.object({ sections: z.array(section) }).optional(),
});

/** A course as anybody may see it, with its lecturers and the outline of its lessons. */
export type CourseDetail = z.output<typeof course>;

/** Reads all of a course that is offered; rejects when it cannot be read. */
export const readCourse = async (read: ReadApi, { path }: Pick<Offer, 'path'>): Promise<CourseDetail> =>
  course.parse(await read(path, { expand: 'lecturers,curriculum' }));
