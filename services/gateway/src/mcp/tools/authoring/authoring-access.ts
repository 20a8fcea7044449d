import { z } from 'zod';
import type { Json } from '../../../upstream/school-api.ts';
import { findCourse } from '../reading/course-summary.ts';
import type { CallContext } from '../../server/server-definition.ts';
import { ToolProblem } from '../tool.ts';

/** Names one change, so that it is never made twice. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]{8,200}$/)
  .meta({ description: 'Made up by you for this one change; the same key never does it twice' });

/** Where a change was seen. */
export const consistencyToken = z.string().nullable().meta({
  description: 'Send it as Consistency-Token with Prefer: wait to a list that must show the change',
});

/** The header that carries a key. */
export const idempotencyHeader = (key: string): Readonly<Record<string, string>> => ({ 'idempotency-key': `"${key}"` });

/** The course that is to be changed, however it is named. */
export async function loadCourse(id: string, { api, caller }: CallContext): Promise<Json & { readonly id: string }> {
  const course = await findCourse(api, id, caller.school);
  if (!course) throw new ToolProblem(`There is no course ${id} that you may change. search_courses finds yours.`);
  return course as Json & { readonly id: string };
}
