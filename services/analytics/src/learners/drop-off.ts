import type { Day } from '../calendar/calendar.ts';
import type { Changes, Editing } from '../figures/changes.ts';

/** Where somebody stands who has not completed a course: after which lesson (null = none), and active when at last. */
export interface Standing {
  readonly lesson: string | null;
  readonly day: Day;
}

/** Days that are known one by one; of those before only the sum is kept. More than the days after which somebody counts as idle. */
const apart = 60;

/** How many stand after a lesson and were active at last on `until` or before, and on each of the days that follow it. */
interface StandingRow {
  readonly until: Day;
  readonly old: number;
  readonly counts: readonly number[];
}

const nobody: StandingRow = { until: 0, old: 0, counts: [] };

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** The lessons of a course after which somebody stands, or stood; '' = before the first. */
interface LessonsRow {
  readonly lessons: readonly string[];
}

const lessonsId = (course: string): string => `lessons:${course}`;
const standingId = (course: string, lesson: string | null): string => `standing:${course}:${lesson ?? ''}`;

/** So many more, or fewer, who were active at last on a day. */
function counted({ until, old, counts }: StandingRow, day: Day, count: number): StandingRow {
  if (day <= until) return { until, old: old + count, counts };
  const after = [...counts];
  while (after.length < day - until) after.push(0);
  after[day - until - 1]! += count;
  return { until, old, counts: after };
}

/** The same once days of long ago are not known one by one any more. */
function forgotten({ until, old, counts }: StandingRow, today: Day): StandingRow {
  const gone = today - apart - until;
  if (gone <= 0) return { until, old, counts };
  return { until: until + gone, old: old + sumOf(counts.slice(0, gone)), counts: counts.slice(gone) };
}

function* moveBy(changes: Changes, course: string, { lesson, day }: Standing, count: number, today: Day): Editing {
  yield* changes.edit<StandingRow>(standingId(course, lesson), (row) =>
    counted(forgotten(row ?? nobody, Math.max(today, day)), day, count),
  );
}

/** Somebody stands elsewhere in a course; undefined = not in it, or not any more. */
export function* move(
  changes: Changes,
  course: string,
  from: Standing | undefined,
  to: Standing | undefined,
  today: Day,
): Editing {
  if (from && to && from.lesson === to.lesson && from.day === to.day) return;
  if (from) yield* moveBy(changes, course, from, -1, today);
  if (!to) return;
  yield* moveBy(changes, course, to, 1, today);
  const lesson = to.lesson ?? '';
  const known = yield* changes.read<LessonsRow>(lessonsId(course));
  if (!known?.lessons.includes(lesson))
    changes.write(lessonsId(course), { lessons: [...(known?.lessons ?? []), lesson] } satisfies LessonsRow);
}

/** Reads a document by its id. */
type Get = (id: string) => Promise<object | undefined>;

/** How many stand after each lesson of a course, null = before the first, and have not been active since a day. */
export async function idleSince(get: Get, course: string, day: Day): Promise<ReadonlyMap<string | null, number>> {
  const { lessons = [] } = ((await get(lessonsId(course))) ?? {}) as Partial<LessonsRow>;
  const rows = lessons.map(async (lesson): Promise<readonly [string | null, number]> => {
    const row = ((await get(standingId(course, lesson))) ?? nobody) as StandingRow;
    const idle = row.old + sumOf(row.counts.slice(0, Math.max(0, day - row.until)));
    return [lesson === '' ? null : lesson, idle];
  });
  return new Map((await Promise.all(rows)).filter(([, count]) => count > 0));
}
