import { rowAs } from '@lyceum/documents';
import { z } from 'zod';
import { count, courseColumn, maybe, share } from '../answers/columns.ts';
import { type Asked, report } from '../answers/report.ts';
import type { Scope } from '../answers/scopes.ts';
import { type Day, type Period, dateOf, mondayOf } from '../calendar/calendar.ts';
import { idleSince } from './drop-off.ts';
import { learners } from './learner.rows.ts';
import { type FunnelRow, type RetentionRow, funnelId, mostWeeks, retentionId } from './learner.series.ts';

const cohortColumn = { cohort: z.string().meta({ description: 'The Monday of the week.', example: '2026-01-05' }) };

const funnelRow = z.object({
  ...cohortColumn,
  ...courseColumn,
  enrolled: count.meta({ description: 'Enrollments that began in the week.' }),
  started: count.meta({ description: 'How many of these began to learn.' }),
  reached_25: count.meta({ description: 'How many reached 25 % of what the course asked for at the time.' }),
  reached_50: count,
  reached_75: count,
  completed: count,
  lapsed: count.meta({ description: 'Whose access has ended before they completed the course.' }),
});

const retentionRow = z.object({
  ...cohortColumn,
  ...courseColumn,
  students: count.meta({ description: 'Members whose first enrollment began in the week.' }),
  week: count.meta({ description: 'Weeks after it, 0 to 52.' }),
  active: maybe.meta({ description: 'How many were active in that week; null while it is not over.' }),
  share_bp: maybe.meta({ description: '`active` of `students`.' }),
});

const dropOffRow = z.object({
  course_id: z.string(),
  lesson_id: z.string().nullable().meta({ description: 'The lesson completed last; null = none.' }),
  students: count,
});

/** Documents of a cohort that are missing say that nobody came. */
async function rowOf<Row extends object>(asked: Asked<unknown>, id: string): Promise<Row | undefined> {
  return rowAs<Row>(await asked.documents.get(asked.collection, asked.school, id));
}

/** Something about each week and part of the school. */
async function forEach<Row>(asked: Asked<unknown>, rows: (scope: Scope, week: Period) => Promise<readonly Row[]>) {
  const all = asked.scopes.map((scope) => Promise.all(asked.periods.map((week) => rows(scope, week))));
  return (await Promise.all(all)).flat(2);
}

const cohorts = {
  source: 'learning',
  collection: learners,
  isForHeads: false,
  isOfCourses: true,
  divided: ['week'],
} as const;

/** How far they come. */
export const funnelReport = report({
  ...cohorts,
  name: 'funnel',
  id: 'readFunnel',
  summary: 'Read how far students come',
  description:
    'Of the enrollments that began in a week, how many have reached each step by now. A step that was reached stays so, whatever becomes of the course.',
  row: funnelRow,
  rows: (asked) =>
    forEach(asked, async (scope, { start }) => {
      const row = await rowOf<FunnelRow>(asked, funnelId(scope ?? '', start));
      const { enrolled = 0, started = 0, reached_25 = 0, reached_50 = 0, reached_75 = 0 } = row ?? {};
      const { completed = 0, lapsed = 0 } = row ?? {};
      const reached = { enrolled, started, reached_25, reached_50, reached_75, completed, lapsed };
      return [{ cohort: dateOf(start), course_id: scope, ...reached }];
    }),
});

/** The weeks of a cohort that have begun. */
const weeksOf = (cohort: Day, today: Day): number =>
  Math.max(0, Math.min(mostWeeks, (mondayOf(today) - cohort) / 7) + 1);

/** Who stays. */
export const retentionReport = report({
  ...cohorts,
  name: 'retention',
  id: 'readRetention',
  summary: 'Read how many students stay',
  description:
    'Of the members whose first enrollment, in the course or in any, began in a week, how many were active in each week from it on.',
  row: retentionRow,
  rows: (asked) =>
    forEach(asked, async (scope, { start }) => {
      const { students = 0, active = [] } = (await rowOf<RetentionRow>(asked, retentionId(scope ?? '', start))) ?? {};
      if (students === 0) return [];
      return Array.from({ length: weeksOf(start, asked.today) }, (_, week) => {
        const isOver = start + 7 * (week + 1) <= asked.today;
        const were = isOver ? (active[week] ?? 0) : null;
        const share_bp = were === null ? null : share(were, students);
        return { cohort: dateOf(start), course_id: scope, students, week, active: were, share_bp };
      });
    }),
});

/** Days without activity after which somebody counts as gone. */
const idleDays = 14;

const extra = {
  course_id: z
    .string()
    .regex(/^course_[0-9a-f-]{36}$/)
    .meta({ description: 'The course.', example: 'course_0195a3c2-7d10-7abc-8def-0123456789ab' }),
};

/** Where they stop. */
export const dropOffReport = report<typeof extra>({
  source: 'learning',
  collection: learners,
  isForHeads: false,
  isOfCourses: false,
  name: 'drop_off',
  id: 'readDropOff',
  summary: 'Read where students stop',
  description:
    'Students who have not completed the course and were not active in it for 14 days, by the lesson that they completed last: each is counted once.',
  extra,
  row: dropOffRow,
  async rows(asked) {
    const { course_id } = asked.query;
    const get = (id: string) => rowOf(asked, id);
    const found = await idleSince(get, course_id, asked.today - idleDays);
    return Array.from(found, ([lesson_id, students]) => ({ course_id, lesson_id, students }));
  },
});
