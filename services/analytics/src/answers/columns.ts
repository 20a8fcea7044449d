import { halfUp } from '@lyceum/kernel';
import { z } from 'zod';
import { type Period, dateOf } from '../calendar/calendar.ts';
import { type Figures, group } from '../figures/figures.ts';
import type { KnownSchools } from '../schools/known-schools.ts';
import type { Scope } from './scopes.ts';

/** A count, or an amount in minor units. */
export const count = z.int();

/** What is null where there is no figure for it. */
export const maybe = z.int().nullable();

/** The columns that a row of a period begins with. */
export const periodColumns = {
  date: z.string().meta({ description: 'The first day of the interval.', example: '2026-01-01' }),
};

/** The column that says of which course a row is. */
export const courseColumn = {
  course_id: z.string().nullable().meta({ description: 'null = of the whole school.' }),
};

/** The column that says in which currency amounts are. */
export const currencyColumn = { currency: z.string().meta({ description: 'ISO 4217.', example: 'EUR' }) };

/** A part of a whole in basis points, rounded half up; null where the whole is nothing. */
export const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : halfUp(10_000n * BigInt(part), BigInt(whole));

/** An amount for each of so many, rounded half up; null where there are none. */
export const average = (amount: number, of: number): number | null =>
  of === 0 ? null : halfUp(BigInt(amount), BigInt(of));

/** The day that a row of a period is named after. */
export const dateColumn = ({ start }: Period) => ({ date: dateOf(start) });

/** The figures in one currency. */
export const inCurrency = (figures: Figures, currency: string): Figures => group(figures, currency) ?? {};

/** The rows of all parts of the school that are asked for. */
export const ofEachScope = async <Asked extends { readonly scopes: readonly Scope[] }, Row>(
  asked: Asked,
  rowsOf: (asked: Asked, scope: Scope) => Promise<readonly Row[]>,
): Promise<readonly Row[]> => (await Promise.all(asked.scopes.map((scope) => rowsOf(asked, scope)))).flat();

/** Figures of periods, each in the currencies that any of them has and in that of the school. */
export function* byCurrency<Figured extends { readonly all: Figures }>(
  found: readonly Figured[],
  { schools, school }: { readonly school: string; readonly schools: Pick<KnownSchools, 'currencyOf'> },
): Iterable<{ readonly each: Figured; readonly currency: string; readonly of: Figures }> {
  const own = schools.currencyOf(school);
  const seen = found.flatMap(({ all }) => Object.keys(all));
  const currencies = [...new Set([...(own === undefined ? [] : [own]), ...seen])].sort();
  for (const each of found)
    for (const currency of currencies) yield { each, currency, of: inCurrency(each.all, currency) };
}
