import { z } from 'zod';
import { count, courseColumn, dateColumn, maybe, ofEachScope, periodColumns } from '../answers/columns.ts';
import { type Asked, report } from '../answers/report.ts';
import type { Scope } from '../answers/scopes.ts';
import { intervals } from '../calendar/calendar.ts';
import { type Figures, figure, group } from '../figures/figures.ts';
import { DailyFigures } from '../figures/series.ts';
import { learners } from './learner.rows.ts';
import { enrollmentsOf } from './learner.series.ts';

const row = z.object({
  ...periodColumns,
  ...courseColumn,
  enrolled: count.meta({ description: 'Members who got access to a course for the first time.' }),
  from_orders: count.meta({ description: 'Of these, by buying the course.' }),
  from_subscriptions: count.meta({ description: 'By a membership plan.' }),
  from_staff: count.meta({ description: 'By the staff.' }),
  from_free: count.meta({ description: 'By enrolling in a free course.' }),
  from_others: count,
  reactivated: count.meta({ description: 'Members who got access again.' }),
  lapsed: count.meta({ description: 'Members whose access ended.' }),
  completed: count.meta({ description: 'Members who completed a course.' }),
  completion_days_median: maybe.meta({
    description: 'Whole days from the enrollment, which half of these needed at most.',
  }),
  completion_days_p90: maybe.meta({ description: 'Whole days, which nine tenths of these needed at most.' }),
});

/** What so many per cent needed at most, by the nearest rank: the least that so many do not exceed. */
function percentile(took: Figures | undefined, percent: number): number | null {
  const all = Object.keys(took ?? {})
    .map((days): readonly [number, number] => [Number(days), figure(took, days)])
    .sort(([one], [other]) => one - other);
  const rank = Math.ceil((percent * all.reduce((sum, [, times]) => sum + times, 0)) / 100);
  let seen = 0;
  for (const [days, times] of all) {
    seen += times;
    if (seen >= rank) return days;
  }
  return null;
}

const columnOf = {
  order_line: 'from_orders',
  subscription: 'from_subscriptions',
  staff: 'from_staff',
  free: 'from_free',
} as const;

function sourcesOf(sources: Figures | undefined) {
  const sums = { from_orders: 0, from_subscriptions: 0, from_staff: 0, from_free: 0, from_others: 0 };
  for (const source of Object.keys(sources ?? {}))
    sums[columnOf[source as keyof typeof columnOf] ?? 'from_others'] += figure(sources, source);
  return sums;
}

async function rowsOf(asked: Asked<unknown>, scope: Scope): Promise<readonly z.output<typeof row>[]> {
  const daily = await DailyFigures.read(asked, enrollmentsOf(scope ?? ''), asked);
  return asked.periods.map((period) => {
    const all = daily.in(period);
    const took = group(all, 'took');
    return {
      ...dateColumn(period),
      course_id: scope,
      enrolled: figure(all, 'enrolled'),
      ...sourcesOf(group(all, 'sources')),
      reactivated: figure(all, 'reactivated'),
      lapsed: figure(all, 'lapsed'),
      completed: figure(all, 'completed'),
      completion_days_median: percentile(took, 50),
      completion_days_p90: percentile(took, 90),
    };
  });
}

/** Who came to learn, and who got to the end. */
export const enrollmentReport = report({
  name: 'enrollments',
  id: 'readEnrollmentFigures',
  summary: 'Read how many enrolled and completed',
  description:
    'Enrollments in courses, by what they came from, and completions with the days that they took. A member who completes a course again after a reset of the progress is counted once.',
  source: 'learning',
  collection: learners,
  isForHeads: false,
  isOfCourses: true,
  divided: intervals,
  row,
  rows: (asked) => ofEachScope(asked, rowsOf),
});
