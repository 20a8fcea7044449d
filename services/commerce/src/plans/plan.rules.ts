import { largestAmount } from '@lyceum/contracts';
import type { Detail } from '@lyceum/kernel';
import type { GrantedItem, StoredGrants, StoredTerms } from './plan.events.ts';
import type { Plan } from './plan.state.ts';

const fault = (path: string, code: string, message: string): Required<Detail> => ({ path, code, message });

/** What is wrong with the terms of a plan together. */
export function faultsOf(
  { kind, interval, interval_count, trial_days, amount, currency }: StoredTerms & Pick<Plan, 'trial_days'>,
  schools: string,
): readonly Detail[] {
  const faults: Detail[] = [];
  const isForLife = kind === 'lifetime';
  if (!isForLife && interval === null) faults.push(fault('interval', 'missing', 'says how long a payment is for'));
  if (!isForLife && interval_count === null)
    faults.push(fault('interval_count', 'missing', 'says how many intervals a payment is for'));
  if (isForLife && (interval !== null || interval_count !== null))
    faults.push(fault('interval', 'not_for_life', 'a plan for life has no interval'));
  if (kind !== 'recurring' && trial_days > 0)
    faults.push(fault('trial_days', 'not_recurring', 'only recurring plans have a trial'));
  const most = largestAmount(currency);
  if (amount > most) faults.push(fault('price.amount', 'too_large', `must be at most ${most}`));
  if (currency !== schools) faults.push(fault('price.currency', 'currency_mismatch', `must be ${schools}`));
  return faults;
}

const opensNothing = ({ courses, digital_products, posts, event_discount_percent }: StoredGrants): boolean =>
  courses.length === 0 && digital_products.length === 0 && !posts && event_discount_percent === 0;

/** What a plan lacks to be sold. */
export const unmet = ({ grants, currency }: Plan, schools: string): readonly Required<Detail>[] => [
  ...(opensNothing(grants) ? [fault('grants', 'grants_missing', 'A plan has to open something')] : []),
  ...(currency === schools
    ? []
    : [fault('price', 'price_currency', 'The price must be in the currency of the school')]),
];

const itemsOf = ({ courses, digital_products }: StoredGrants): readonly GrantedItem[] =>
  (
    [
      ['course', courses],
      ['digital_product', digital_products],
    ] as const
  ).flatMap(([item_type, which]): readonly GrantedItem[] =>
    which === 'all' ? [{ item_type, item_id: null }] : which.map((item_id) => ({ item_type, item_id })),
  );

const isIn = (items: readonly GrantedItem[], { item_type, item_id }: GrantedItem): boolean =>
  items.some((each) => each.item_type === item_type && each.item_id === item_id);

/** What is opened and closed where grants take the place of others. Everything of a type stands for itself. */
export function differenceOf(before: StoredGrants, after: StoredGrants) {
  const [had, has] = [itemsOf(before), itemsOf(after)];
  return { added: has.filter((each) => !isIn(had, each)), removed: had.filter((each) => !isIn(has, each)) };
}

/** Whether somebody can subscribe to a plan now. */
export const isAvailable = ({ status, max_subscribers, subscriber_count }: Plan): boolean =>
  status === 'active' && (max_subscribers === null || subscriber_count < max_subscribers);
