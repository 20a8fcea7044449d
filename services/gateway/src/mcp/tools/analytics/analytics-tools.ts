import { z } from 'zod';
import type { Json } from '../../../upstream/school-api.ts';
import type { CallContext } from '../../server/server-definition.ts';
import { rows, successBody, text } from '../api-result.ts';
import { reading, tool } from '../tool.ts';

/** What of the rows of a report is added up over all days. */
const summed = {
  enrollments: ['enrolled', 'reactivated', 'lapsed', 'completed'],
  revenue: ['orders', 'gross', 'refunds', 'net'],
  subscriptions: ['started', 'canceled', 'lapsed'],
  forms: ['submissions', 'spam', 'restored'],
} as const;

/** What counts as it is on the last day. */
const latest = {
  active_students: ['active_7_days', 'active_30_days'],
  subscriptions: ['mrr', 'active', 'trialing'],
} as const;

const figure = (row: Json, name: string): number => Number(row[name] ?? 0);

/** Rows of one thing, e.g. of a currency, as one: sums of some figures, and the last of others. */
function together(all: readonly Json[], sums: readonly string[], last: readonly string[]): Json {
  const added = sums.map((name): [string, number] => [name, all.reduce((sum, row) => sum + figure(row, name), 0)]);
  const kept = last.map((name): [string, number] => [name, figure(all.at(-1) ?? {}, name)]);
  return Object.fromEntries([...added, ...kept]);
}

/** Rows by what they say of a column, each as one. */
function byColumn(column: string, all: readonly Json[], sums: readonly string[], last: readonly string[] = []) {
  const values = [...new Set(all.map((row) => text(row, column) ?? null))];
  return values.map((value) => ({
    [column]: value,
    ...together(
      all.filter((row) => (text(row, column) ?? null) === value),
      sums,
      last,
    ),
  }));
}

const day = z.string().max(10).optional();

/** The figures of a school in one answer, for those who run it and those who teach. */
export const getAnalyticsSummary = tool({
  name: 'get_analytics_summary',
  title: 'Summarize the figures of the school',
  description:
    'Enrollments, completions and active students of a range of days, for lecturers by course of theirs; for owners and admins revenue and subscriptions by currency as well, in minor units, and what came by forms.',
  input: z.strictObject({
    from: day.meta({ description: 'YYYY-MM-DD; 30 days before `to` when left out' }),
    to: day.meta({ description: 'The first day not meant; tomorrow when left out' }),
    course_id: z.string().max(64).optional(),
  }),
  output: z.strictObject({
    from: z.string(),
    to: z.string(),
    timezone: z.string(),
    complete: z.boolean(),
    enrollments: z.array(z.looseObject({})),
    active_students: z.array(z.looseObject({})),
    revenue: z.array(z.looseObject({})).optional(),
    subscriptions: z.array(z.looseObject({})).optional(),
    forms: z.array(z.looseObject({})).optional(),
  }),
  scopes: ['analytics:read'],
  isForTokens: true,
  annotations: reading,
  async run({ course_id, ...range }, { api, caller }: CallContext) {
    const read = async (name: string, query: Readonly<Record<string, string | undefined>>) =>
      successBody(await api(`/api/analytics/${name}`, { query }), 'The figures', 'search_courses finds courses.');
    const isForHeads = caller.principal?.role !== 'lecturer';
    const query = { ...range, course_id };
    const [enrollments, active, revenue, subscriptions, forms] = await Promise.all([
      read('enrollments', query),
      read('active_students', query),
      isForHeads ? read('revenue', query) : undefined,
      isForHeads && course_id === undefined ? read('subscriptions', range) : undefined,
      isForHeads && course_id === undefined ? read('forms', range) : undefined,
    ]);
    const { from, to, timezone } = enrollments;
    const all = [enrollments, active, revenue, subscriptions, forms].filter((body) => body !== undefined);
    return {
      data: {
        from,
        to,
        timezone,
        complete: all.every(({ complete }) => complete === true),
        enrollments: byColumn('course_id', rows(enrollments), summed.enrollments),
        active_students: byColumn('course_id', rows(active), [], latest.active_students),
        ...(revenue ? { revenue: byColumn('currency', rows(revenue), summed.revenue) } : {}),
        ...(subscriptions
          ? {
              subscriptions: byColumn('currency', rows(subscriptions), summed.subscriptions, latest.subscriptions),
            }
          : {}),
        ...(forms ? { forms: byColumn('form_id', rows(forms), summed.forms) } : {}),
      },
    };
  },
});
