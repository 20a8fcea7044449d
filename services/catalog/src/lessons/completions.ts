import type { FactOf } from '@lyceum/contracts';
import { type Collection, type Document, type Documents, type Projection, eventGuard, rowAs } from '@lyceum/documents';

/** Which lessons of a course a member has completed: read where something in the course waits for a lesson, and only there. */
const completions: Collection = { name: 'completions', version: 1, fields: { member_id: 'text' } };

/** Without the prefix that all ids of lessons have: there is a row for each member and course. */
interface CompletionRow {
  readonly member_id: string;
  readonly lessons: readonly string[];
}

type ProgressFact = Extract<FactOf<'learning'>, { type: 'LessonCompleted' | 'ProgressReset' }>;

const isProgressFact = eventGuard<ProgressFact>('LessonCompleted', 'ProgressReset');

const prefix = 'lesson_';

/** The id of what is kept of one member's learning of one course. */
export const learntBy = (member: string, course: string): string => `${member}/${course}`;

/** Keeps what each member has completed of each course. */
export const completionProjection: Projection = {
  collection: completions,
  key: (fact) => (isProgressFact(fact) ? learntBy(fact.data.member_id, fact.data.course_id) : undefined),
  project(fact, before): Document | null {
    if (!isProgressFact(fact)) return before ?? null;
    if (fact.type === 'ProgressReset') return null;
    const { member_id, lesson_id } = fact.data;
    const known = before ? rowAs<CompletionRow>(before).lessons : [];
    return { member_id, lessons: [...new Set([...known, lesson_id.replace(prefix, '')])] };
  },
  erase: { documents: { field: 'member_id' } },
};

/** Ids of the lessons of a course that a member has completed, as far as integration events have arrived. */
export async function completedLessons(
  { documents }: { readonly documents: Pick<Documents, 'get'> },
  { school, member, course }: { readonly school: string; readonly member: string; readonly course: string },
): Promise<ReadonlySet<string>> {
  const row = await documents.get(completions, school, learntBy(member, course));
  return new Set(row ? rowAs<CompletionRow>(row).lessons.map((id) => `${prefix}${id}`) : []);
}
