import { z } from 'zod';
import {
  average,
  byCurrency,
  count,
  courseColumn,
  currencyColumn,
  dateColumn,
  maybe,
  ofEachScope,
  periodColumns,
  share,
} from '../answers/columns.ts';
import { type Asked, report } from '../answers/report.ts';
import type { Scope } from '../answers/scopes.ts';
import { intervals } from '../calendar/calendar.ts';
import { figure } from '../figures/figures.ts';
import { DailyFigures } from '../figures/series.ts';
import { revenueOf } from './sale.fold.ts';
import { sales } from './sale.rows.ts';

const row = z.object({
  ...periodColumns,
  ...courseColumn,
  ...currencyColumn,
  orders: count.meta({ description: 'Orders that were paid, without those that cost nothing.' }),
  gross: count.meta({ description: 'What their lines cost, without the tax.' }),
  refunds: count.meta({ description: 'What was paid back or charged back on these days, without the tax.' }),
  net: count.meta({ description: '`gross` less `refunds`.' }),
  average_order: maybe.meta({ description: '`gross` divided by `orders`.' }),
  placed: count.meta({ description: 'Orders that people placed at the checkout, without those that cost nothing.' }),
  converted: maybe.meta({ description: 'How many of these were paid within 24 hours; null until then.' }),
  conversion_bp: maybe.meta({ description: '`converted` of `placed`.' }),
});

async function rowsOf(asked: Asked<unknown>, scope: Scope): Promise<readonly z.output<typeof row>[]> {
  const daily = await DailyFigures.read(asked, revenueOf(scope ?? ''), asked);
  const found = asked.periods.map((period) => ({ period, all: daily.in(period) }));
  return Array.from(byCurrency(found, asked), ({ each: { period }, currency, of }) => {
    const [orders, gross, refunds] = [figure(of, 'orders'), figure(of, 'gross'), figure(of, 'refunds')];
    const placed = figure(of, 'placed');
    // Whoever placed an order on the last day has had 24 hours.
    const converted = asked.today > period.end ? figure(of, 'converted') : null;
    return {
      ...dateColumn(period),
      course_id: scope,
      currency,
      orders,
      gross,
      refunds,
      net: gross - refunds,
      average_order: average(gross, orders),
      placed,
      converted,
      conversion_bp: converted === null ? null : share(converted, placed),
    };
  });
}

/** What was sold. */
export const revenueReport = report({
  name: 'revenue',
  id: 'readRevenue',
  summary: 'Read the revenue',
  description:
    'What was paid and paid back, in each currency. A payment counts on the day on which it became known, a refund or a lost dispute on its own, so days that are over stay as they are. What is paid back without naming lines is divided among them.',
  source: 'commerce',
  collection: sales,
  isForHeads: true,
  isOfCourses: true,
  divided: intervals,
  row,
  rows: (asked) => ofEachScope(asked, rowsOf),
});
