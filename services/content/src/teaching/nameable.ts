import type { Detail } from '@lyceum/kernel';
import { type AskingPorts, askFor } from '@lyceum/service';
import { Problem } from '@lyceum/web';
import { z } from 'zod';

/** What somebody names: who teaches, and a course. */
interface Named {
  readonly lecturer_ids?: readonly string[] | null | undefined;
  readonly course_id?: string | null | undefined;
}

const answered = z.object({ lecturers: z.array(z.string()), course: z.boolean() });

/**
 * Throws the 422 problem when somebody names a lecturer who is not active, or a course that there is not, but for those that
 * were `named` before; the 503 problem when the catalog service does not say.
 */
export async function refuseUnknown(
  ports: AskingPorts,
  school: string,
  wanted: Named,
  named: Named = {},
): Promise<void> {
  const before = new Set(named.lecturer_ids ?? []);
  const lecturers = (wanted.lecturer_ids ?? []).map((id, index) => ({ id, path: `lecturer_ids.${index}` }));
  const fresh = lecturers.filter(({ id }) => !before.has(id));
  const course = wanted.course_id && wanted.course_id !== named.course_id ? wanted.course_id : null;
  if (fresh.length === 0 && course === null) return;
  const question = { kind: 'nameable', school, lecturers: fresh.map(({ id }) => id), course };
  const there = await askFor(ports, 'catalog', question, answered);
  if (!there)
    throw new Problem('temporarily_unavailable', 'The catalog service cannot say yet who teaches', {
      headers: { 'Retry-After': '5' },
    });
  const details: Detail[] = fresh
    .filter(({ id }) => !there.lecturers.includes(id))
    .map(({ path }) => ({ path, code: 'unknown_lecturer', message: 'is no active lecturer of the school' }));
  if (course !== null && !there.course)
    details.push({ path: 'course_id', code: 'unknown_course', message: 'is no course of the school, or put away' });
  if (details.length > 0) throw new Problem('validation_failed', 'A lecturer or course is not acceptable', { details });
}
