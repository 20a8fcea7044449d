import { z } from 'zod';
import { count, dateColumn, maybe, periodColumns, share } from '../answers/columns.ts';
import { report } from '../answers/report.ts';
import { intervals } from '../calendar/calendar.ts';
import { figure } from '../figures/figures.ts';
import { DailyFigures } from '../figures/series.ts';
import { formUse, submissionsOf } from './submission.rows.ts';

const row = z.object({
  ...periodColumns,
  form_id: z.string().nullable().meta({ description: 'null = of all forms.' }),
  submissions: count.meta({ description: 'What was sent, spam among it.' }),
  spam: count.meta({ description: 'What was found to be spam on these days: when it arrived, or by the staff.' }),
  restored: count.meta({ description: 'Spam that was accepted by the staff on these days.' }),
  spam_bp: maybe.meta({
    description:
      '`spam` less `restored`, but never below 0, of `submissions`; more than all of them where older ones were judged.',
  }),
});

const extra = {
  form_id: z
    .string()
    .regex(/^form_[0-9a-f-]{36}$/)
    .optional()
    .meta({ description: 'Of this form only.', example: 'form_0195a3c2-7d10-7abc-8def-0123456789ab' }),
};

/** What visitors sent by forms. */
export const formReport = report<typeof extra>({
  name: 'forms',
  id: 'readFormUse',
  summary: 'Read what came by forms',
  description:
    'How much visitors sent by forms, and how much of it was spam. Spam counts on the day on which it was found, and is taken back on the day on which it was accepted, so days that are over stay as they are. What is deleted stays counted.',
  source: 'content',
  collection: formUse,
  isForHeads: true,
  isOfCourses: false,
  divided: intervals,
  extra,
  row,
  async rows(asked) {
    const { form_id = null } = asked.query;
    const daily = await DailyFigures.read(asked, submissionsOf(form_id ?? ''), asked);
    return asked.periods.map((period) => {
      const of = daily.in(period);
      const [submissions, spam, restored] = [figure(of, 'submissions'), figure(of, 'spam'), figure(of, 'restored')];
      return {
        ...dateColumn(period),
        form_id,
        submissions,
        spam,
        restored,
        spam_bp: share(Math.max(0, spam - restored), submissions),
      };
    });
  },
});
