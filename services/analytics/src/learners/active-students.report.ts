import { z } from 'zod';
import { count, courseColumn, dateColumn, ofEachScope, periodColumns } from '../answers/columns.ts';
import { type Asked, report } from '../answers/report.ts';
import type { Scope } from '../answers/scopes.ts';
import { intervals } from '../calendar/calendar.ts';
import { figure } from '../figures/figures.ts';
import { DailyFigures } from '../figures/series.ts';
import { learners } from './learner.rows.ts';
import { activeOf } from './learner.series.ts';

const row = z.object({
  ...periodColumns,
  ...courseColumn,
  active: count.meta({ description: 'Members who were active in the interval, each counted once.' }),
  active_7_days: count.meta({
    description: 'In the seven days that end with its last day, or today where that is to come.',
  }),
  active_30_days: count.meta({ description: 'In the thirty days that end with it.' }),
});

async function rowsOf(asked: Asked<{ interval: string }>, scope: Scope): Promise<readonly z.output<typeof row>[]> {
  const daily = await DailyFigures.read(asked, activeOf(scope ?? ''), asked);
  const { interval } = asked.query;
  return asked.periods.map((period) => {
    const last = Math.max(period.start, Math.min(period.end - 1, asked.today));
    return {
      ...dateColumn(period),
      course_id: scope,
      active: figure(daily.on(period.start), interval),
      active_7_days: period.start > asked.today ? 0 : daily.running(last, 'last_7'),
      active_30_days: period.start > asked.today ? 0 : daily.running(last, 'last_30'),
    };
  });
}

/** Who learns. */
export const activeStudentReport = report({
  name: 'active_students',
  id: 'readActiveStudents',
  summary: 'Read how many students are active',
  description: 'Members who began or completed a lesson, or attempted a quiz.',
  source: 'learning',
  collection: learners,
  isForHeads: false,
  isOfCourses: true,
  divided: intervals,
  row,
  rows: (asked) => ofEachScope(asked, rowsOf),
});
