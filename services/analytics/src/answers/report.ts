import type { Documents } from '@lyceum/documents';
import { type AskingPorts, type ModulePorts, heads } from '@lyceum/service';
import { type Call, type Operation, Problem, csvLine, operation } from '@lyceum/web';
import { z } from 'zod';
import { type Interval, type Period, dateOf } from '../calendar/calendar.ts';
import type { AnalyticsPorts } from '../schools/known-schools.ts';
import type { Reading } from '../figures/series.ts';
import { type AskedRange, rangeOf, rangeQuery } from './range.ts';
import { type Scope, scopesOf } from './scopes.ts';
import { type Source, watermarkOf } from './watermark.ts';

/** The ports that reports are made with. */
export type ReportPorts = AnalyticsPorts & AskingPorts & Pick<ModulePorts, 'history'>;

/** What is asked for. */
export interface Asked<Query> extends Period, Reading {
  readonly periods: readonly Period[];
  readonly scopes: readonly Scope[];
  readonly query: Query;
  /** The school's calendar day now. */
  readonly today: number;
  /** The instant of the question, RFC 3339. */
  readonly at: string;
  readonly schools: AnalyticsPorts['schools'];
}

type Row = Readonly<Record<string, string | number | boolean | null>>;

/** A table of figures of a range of days, as JSON or as CSV. */
interface Report<Extra extends z.ZodRawShape> extends Source {
  /** The last segment of the path. */
  readonly name: string;
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** It tells of money, or of what belongs to no course: lecturers do not get it. */
  readonly isForHeads: boolean;
  /** It can be of one course. */
  readonly isOfCourses: boolean;
  /** How the range may be divided, the usual first; left out: it is about now. */
  readonly divided?: readonly [Interval, ...Interval[]];
  /** Parameters of its own. */
  readonly extra?: Extra;
  readonly row: z.ZodObject;
  rows(asked: Asked<z.output<z.ZodObject<Extra>> & { readonly interval: Interval }>): Promise<readonly Row[]>;
}

const courseId = z
  .string()
  .regex(/^course_[0-9a-f-]{36}$/)
  .optional()
  .meta({ description: 'Of this course only.', example: 'course_0195a3c2-7d10-7abc-8def-0123456789ab' });

const format = z.enum(['json', 'csv']).default('json').meta({
  description: 'CSV: RFC 4180, UTF-8, with a header; its last columns say `as_of` and `complete`.',
});

const csv = 'text/csv; charset=utf-8';

/** The words that every report ends with. */
const common =
  ' Amounts are in minor units of the currency of their row, shares in basis points (10,000 = all); null is what there is no figure for. A day is counted in the time zone that the school had on it, and is not counted anew later. `as_of` says up to when everything is in the figures, `complete` that all of the range is.';

/** What is said of the figures beside them. */
interface Heading {
  readonly as_of: string | null;
  readonly complete: boolean;
}

const csvOf = (columns: readonly string[], rows: readonly Row[], { as_of, complete }: Heading): string =>
  [
    [...columns, 'as_of', 'complete'],
    ...rows.map((row) => [...columns.map((name) => row[name] ?? null), as_of, complete]),
  ]
    .map(csvLine)
    .join('');

const replyOf = (id: string, row: z.ZodObject) =>
  z.object({
    object: z.literal('report'),
    name: z.string().meta({ description: 'Of what the figures are.' }),
    from: z.string().meta({ description: 'The first day.' }),
    to: z.string().meta({ description: 'The first day that is no longer meant.' }),
    interval: z.string(),
    timezone: z.string().meta({ description: 'IANA name of the time zone in which days are counted now.' }),
    as_of: z
      .string()
      .nullable()
      .meta({ description: 'Up to when everything is in the figures; null = nothing has arrived.' }),
    complete: z.boolean().meta({ description: 'Nothing is missing of the range, which is over.' }),
    data: z.array(row.meta({ id })),
  });

/** Everything beside the rows: of which days, and how far the figures go. */
async function headingOf(call: Call, ports: ReportPorts & { documents: Documents }, source: Source, { end }: Period) {
  const as_of = await watermarkOf(ports, source, call.school, call.at);
  const complete = as_of !== null && ports.schools.dayOf(call.school, as_of) >= end;
  return { as_of, complete };
}

/** Makes the operation that answers with a report. */
export const report =
  <Extra extends z.ZodRawShape = Record<never, never>>(declared: Report<Extra>) =>
  (given: ReportPorts): Operation => {
    const { name, id, summary, description, isForHeads, isOfCourses, divided, extra, row, collection } = declared;
    const query = z.strictObject({
      ...(divided ? rangeQuery(divided) : {}),
      ...(isOfCourses ? { course_id: courseId } : {}),
      ...extra,
      format,
    });
    const columns = Object.keys(row.shape);
    return operation({
      id,
      method: 'GET',
      path: `/api/analytics/${name}`,
      area: 'analytics',
      summary,
      description: description + common,
      scope: 'analytics:read',
      anonymous: true,
      roles: isForHeads ? heads : [...heads, 'lecturer'],
      query,
      status: 200,
      reply: replyOf(`${id.replace(/^read/, '')}Row`, row),
      alsoGives: csv,
      errors: ['not_found', 'temporarily_unavailable'],
      async handle(call, { documents }) {
        const { school, at, principal } = call;
        if (!principal) throw new Problem('not_found', 'There is nothing here without a token');
        const asked = call.query as Partial<AskedRange> & {
          readonly course_id?: string;
          readonly format: 'json' | 'csv';
        };
        const { schools } = given;
        const today = schools.dayOf(school, at);
        const { interval = 'day' } = asked;
        const range = rangeOf(divided ? { ...asked, interval } : { from: dateOf(today), interval }, today);
        const scopes = await scopesOf(call, asked.course_id, given);
        // How far the figures go is asked first: what is said to be in them is.
        const heading = await headingOf(call, { ...given, documents }, declared, range);
        const reading = { documents, collection, school, scopes, schools, today, at };
        const rows = await declared.rows({ ...range, ...reading, query: asked as never });
        if (asked.format === 'csv') {
          const headers = { 'Content-Disposition': `attachment; filename="${name}.csv"` };
          return { text: csvOf(columns, rows, heading), headers };
        }
        const days = { from: dateOf(range.start), to: dateOf(range.end), interval };
        const timezone = schools.timezoneAt(school, at);
        return { body: { object: 'report', name, ...days, timezone, ...heading, data: rows } };
      },
    });
  };
