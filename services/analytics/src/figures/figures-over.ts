import type { FactSource } from '@lyceum/contracts';
import { type Collection, type Erasure, type Folding, type Incoming, foldingProjection } from '@lyceum/documents';
import type { Following } from '@lyceum/service';
import type { Day } from '../calendar/calendar.ts';
import type { AnalyticsPorts } from '../schools/known-schools.ts';
import { Changes, type Editing } from './changes.ts';

/** How far a read model has got with a school: the position and time of its last fact. */
export interface MarkRow {
  readonly position: number;
  /** RFC 3339. */
  readonly at: string;
}

/** The id of the document that says how far a read model has got. */
export const markId = 'mark';

/** What a fact does to figures; undefined when it does nothing. `day`: the school's at the fact. */
type Apply = (changes: Changes, fact: Incoming, day: Day) => Editing | undefined;

function* folding(fact: Incoming, day: Day, apply: Apply): Folding {
  const changes = new Changes();
  const { position, at } = fact;
  yield* changes.edit<MarkRow>(markId, () => ({ position, at }));
  const editing = apply(changes, fact, day);
  if (editing) yield* editing;
  return changes.bodies;
}

/** A read model of figures over the facts of a service, by the calendar days of each school. */
export const figuresOver = (
  source: FactSource,
  collection: Collection,
  apply: Apply,
  erase?: Erasure,
): Following<Record<never, never>, AnalyticsPorts> => {
  const declared = { collection, ...(erase ? { erase } : {}) };
  return {
    source,
    after: 'school',
    projection: foldingProjection({
      ...declared,
      fold() {
        throw new TypeError(`${collection.name} needs the calendars of schools`);
      },
    }),
    bound: ({ schools }) =>
      foldingProjection({ ...declared, fold: (fact) => folding(fact, schools.dayOf(fact.tenant, fact.at), apply) }),
  };
};
