import { z } from 'zod';

/** The id of a course, as another service made it. */
export const courseId = z
  .string()
  .regex(/^course_[0-9a-f-]{36}$/)
  .meta({ example: 'course_0195a3c2-7d10-7abc-8def-0123456789ab' });
