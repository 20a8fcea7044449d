import { rowAs } from '@lyceum/documents';
import { z } from 'zod';
import {
  byCurrency,
  count,
  currencyColumn,
  dateColumn,
  inCurrency,
  maybe,
  periodColumns,
  share,
} from '../answers/columns.ts';
import { type Asked, report } from '../answers/report.ts';
import { type Day, firstOf, intervals } from '../calendar/calendar.ts';
import { type Figures, added, figure } from '../figures/figures.ts';
import { DailyFigures } from '../figures/series.ts';
import { type BeginningRow, beginningId, subscribers, subscriptionsSeries } from './subscriber.rows.ts';

const row = z.object({
  ...periodColumns,
  ...currencyColumn,
  mrr: count.meta({
    description:
      'What all active subscriptions bring in a month at the end of the interval, after discounts: the price of each is divided by the months of its period and rounded.',
  }),
  active: count.meta({ description: 'Subscriptions that are paid for and renewed, at the end of the interval.' }),
  trialing: count.meta({ description: 'Subscriptions in a trial, at the end of the interval.' }),
  started: count.meta({ description: 'Subscriptions that began, trials among them.' }),
  canceled: count.meta({ description: 'Subscriptions that were paid for and ended because they were canceled.' }),
  lapsed: count.meta({ description: 'Subscriptions that ended because they were not paid for any more.' }),
  churn_bp: maybe.meta({ description: '`canceled` and `lapsed` of those that were active when the interval began.' }),
});

/** All figures of the days before one: what the first day begins with. A document is read for each month. */
async function before(asked: Asked<unknown>, day: Day): Promise<Figures> {
  const { documents, collection, school } = asked;
  const beginning = rowAs<BeginningRow>(await documents.get(collection, school, beginningId));
  if (!beginning) return {};
  const period = { start: firstOf(beginning.month), end: day };
  return (await DailyFigures.read(asked, subscriptionsSeries, period)).in(period);
}

/** What became of subscriptions. */
export const subscriptionReport = report({
  name: 'subscriptions',
  id: 'readSubscriptionFigures',
  summary: 'Read what became of subscriptions',
  description:
    'Recurring revenue and churn, in each currency, of subscriptions that are renewed and paid for: those for life, for a fixed term, or given by the staff are not among them, nor are those that rest. One that is due stays active until it lapses.',
  source: 'commerce',
  collection: subscribers,
  isForHeads: true,
  isOfCourses: false,
  divided: intervals,
  row,
  async rows(asked) {
    const [opening, daily] = await Promise.all([
      before(asked, asked.start),
      DailyFigures.read(asked, subscriptionsSeries, asked),
    ]);
    let at = opening;
    const found = asked.periods.map((period) => {
      const [first, own] = [at, daily.in(period)];
      at = added(at, own);
      return { period, first, own, all: at };
    });
    return Array.from(byCurrency(found, asked), ({ each: { period, first, own }, currency, of: end }) => {
      const of = inCurrency(own, currency);
      const [canceled, lapsed] = [figure(of, 'canceled'), figure(of, 'lapsed')];
      return {
        ...dateColumn(period),
        currency,
        mrr: figure(end, 'mrr'),
        active: figure(end, 'active'),
        trialing: figure(end, 'trialing'),
        started: figure(of, 'started'),
        canceled,
        lapsed,
        churn_bp: share(canceled + lapsed, figure(inCurrency(first, currency), 'active')),
      };
    });
  },
});
