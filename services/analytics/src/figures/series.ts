import type { Collection, Documents } from '@lyceum/documents';
import { type Day, type Month, type Period, firstOf, firstOfMonth, monthOf } from '../calendar/calendar.ts';
import type { Changes, Editing } from './changes.ts';
import { type Figures, added, figure, sumOf } from './figures.ts';

/** Figures of each day: of what, and of which part of the school, '' = all of it. A document has those of a month. */
export interface Series {
  readonly name: string;
  readonly scope: string;
}

/** The figures of a month, by the number of the day in it, from 0. */
interface MonthRow {
  readonly days: Figures;
}

const idOf = ({ name, scope }: Series, month: Month): string => `${name}:${scope}:${month}`;

/** Adds figures to those of days. */
export function* addTo(changes: Changes, series: Series, days: Iterable<readonly [Day, Figures]>): Editing {
  const months = new Map<Month, Record<string, Figures>>();
  for (const [day, figures] of days) {
    const month = monthOf(day);
    const own = months.get(month) ?? {};
    months.set(month, own);
    const name = day - firstOfMonth(day);
    own[name] = added(own[name], figures);
  }
  for (const [month, more] of months)
    yield* changes.edit<MonthRow>(idOf(series, month), (row) => ({ days: added(row?.days, more) }));
}

/**
 * One more of something on each day of a period, as figures that say where it begins and ends: what there is on a day is
 * their sum from the beginning of its month on (`DailyFigures.running`).
 */
export function* oneMore(name: string, { start, end }: Period): Iterable<readonly [Day, Figures]> {
  for (let at = start; at < end;) {
    const next = firstOf(monthOf(at) + 1);
    yield [at, { [name]: 1 }];
    if (end < next) yield [end, { [name]: -1 }];
    at = Math.min(end, next);
  }
}

/** Adds figures of one day to several series. */
export function* addAlike(changes: Changes, all: readonly Series[], day: Day, figures: Figures): Editing {
  for (const series of all) yield* addTo(changes, series, [[day, figures]]);
}

/** Where figures are read. */
export interface Reading {
  readonly documents: Pick<Documents, 'get'>;
  readonly collection: Collection;
  readonly school: string;
}

/** What there is of the days of a series, by their numbers: a document is read for each month. */
export class DailyFigures {
  readonly #days: ReadonlyMap<Day, Figures>;

  private constructor(days: ReadonlyMap<Day, Figures>) {
    this.#days = days;
  }

  static async read({ documents, collection, school }: Reading, series: Series, { start, end }: Period) {
    const days = new Map<Day, Figures>();
    const months = start < end ? monthOf(end - 1) - monthOf(start) + 1 : 0;
    const read = Array.from({ length: months }, async (_, index) => {
      const month = monthOf(start) + index;
      const row = await documents.get(collection, school, idOf(series, month));
      for (const [day, figures] of Object.entries((row as MonthRow | undefined)?.days ?? {}))
        days.set(firstOf(month) + Number(day), figures as Figures);
    });
    await Promise.all(read);
    return new DailyFigures(days);
  }

  /** The figures of one day. */
  on(day: Day): Figures {
    return this.#days.get(day) ?? {};
  }

  /** What there is on a day of what `oneMore` has added. */
  running(day: Day, name: string): number {
    let sum = 0;
    for (let at = firstOfMonth(day); at <= day; at += 1) sum += figure(this.on(at), name);
    return sum;
  }

  /** The figures of the days of a period together. */
  in({ start, end }: Period): Figures {
    return sumOf(Array.from({ length: end - start }, (_, index) => this.on(start + index)));
  }
}
