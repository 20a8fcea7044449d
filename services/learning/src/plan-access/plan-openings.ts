import type { FactOf } from '@lyceum/contracts';
import type { Item, ItemType } from '../grants/grant.ts';

type GrantsSet = Extract<FactOf<'commerce'>, { type: 'PlanGrantsChanged' }>['data'];

/** Whether a plan opens an item. */
interface Opening {
  readonly open: boolean;
  /** How often the plan has closed it: what it opens again is granted anew. */
  readonly generation: number;
  /** Those who had the plan before this position of the commerce service's log keep the item, as of this generation. */
  readonly kept: { readonly before: number; readonly generation: number } | null;
}

/** What a plan opens of a type: items that it has ever named, and all the others. */
interface Openings {
  readonly named: Readonly<Record<string, Opening>>;
  readonly others: Opening;
}

/** What a plan opens, and what it has closed. */
export type PlanOpenings = Readonly<Record<ItemType, Openings>>;

const never: Opening = { open: false, generation: 0, kept: null };
const none: Openings = { named: {}, others: never };

/** A plan that opens nothing yet. */
export const nothingOpened: PlanOpenings = { course: none, digital_product: none };

const opened = (before: Opening): Opening => (before.open ? before : { ...before, open: true });

/** Closed to everybody, or to all but those who have the plan by now: see `Opening`. */
function closed({ open, generation, kept }: Opening, keptBefore: number | null): Opening {
  if (!open) return { open, generation, kept };
  const next = keptBefore === null ? null : { before: keptBefore, generation };
  return { open: false, generation: generation + 1, kept: next };
}

const openingOf = ({ named, others }: Openings, id: string): Opening =>
  Object.hasOwn(named, id) ? (named[id] ?? others) : others;

function after(before: Openings, granted: GrantsSet['grants']['courses'], keptBefore: number | null): Openings {
  const isOpen = (id: string): boolean => granted === 'all' || granted.includes(id);
  const ids = new Set([...Object.keys(before.named), ...(granted === 'all' ? [] : granted)]);
  const named = [...ids].map((id): [string, Opening] => {
    const opening = openingOf(before, id);
    return [id, isOpen(id) ? opened(opening) : closed(opening, keptBefore)];
  });
  const others = granted === 'all' ? opened(before.others) : closed(before.others, keptBefore);
  return { named: Object.fromEntries(named), others };
}

/** What a plan opens after its grants were set, at a position of the commerce service's log. */
export function openingsAfter(
  before: PlanOpenings,
  { grants, keep_existing }: Pick<GrantsSet, 'grants' | 'keep_existing'>,
  position: number,
): PlanOpenings {
  const keptBefore = keep_existing ? position : null;
  return {
    course: after(before.course, grants.courses, keptBefore),
    digital_product: after(before.digital_product, grants.digital_products, keptBefore),
  };
}

/** Whether an item is open to those who have had the plan since a position, and by which generation of the item. */
export function openTo(
  plan: PlanOpenings,
  { item_type, item_id }: Item,
  since: number,
): { readonly opens: boolean; readonly generation: number } {
  const { open, generation, kept } = openingOf(plan[item_type], item_id);
  if (!open && kept && since < kept.before) return { opens: true, generation: kept.generation };
  return { opens: open, generation };
}

/** Whether anybody may have an item by the plan. */
export function opensToSomebody(plan: PlanOpenings, { item_type, item_id }: Item): boolean {
  const { open, kept } = openingOf(plan[item_type], item_id);
  return open || kept !== null;
}

/** Items of a type that the plan ever named. */
export const everNamed = (plan: PlanOpenings, item_type: ItemType): readonly string[] =>
  Object.keys(plan[item_type].named);

/** Whether the plan ever opened all there are of a type. */
export const everOpenedAll = (plan: PlanOpenings, item_type: ItemType): boolean =>
  plan[item_type].others.open || plan[item_type].others.generation > 0;
