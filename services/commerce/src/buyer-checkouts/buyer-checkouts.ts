import type { EventContext } from '@lyceum/kernel';
import { type BuyerCheckoutsEvent, buyerCheckoutsEvents } from './buyer-checkouts.events.ts';

/** An order that something may be held for. */
interface BegunCheckout {
  readonly order_id: string;
  /** Ids of the items. */
  readonly items: readonly string[];
  readonly until: string;
}

/**
 * The orders of one buyer that something may be held for, the newest last, so many at most: of each item one, but for those of
 * guests that are not known to be one person.
 */
export type BuyerCheckouts = readonly BegunCheckout[];

const most = 20;

const areSame = (one: readonly string[], other: readonly string[]): boolean => one.some((item) => other.includes(item));

/** The orders that make room for a new one: those with an item of it, and the oldest where there are many. */
export function replacedBy(checkouts: BuyerCheckouts, items: readonly string[], now: string): readonly string[] {
  const live = checkouts.filter(({ until }) => until > now);
  const same = live.filter((each) => areSame(each.items, items));
  const others = live.filter((each) => !same.includes(each));
  return [...same, ...others.slice(0, Math.max(0, others.length + 1 - most))].map(({ order_id }) => order_id);
}

function evolve(before: BuyerCheckouts, { data }: BuyerCheckoutsEvent, { at }: EventContext): BuyerCheckouts {
  const { kept = [], ...begun } = data;
  const gone = replacedBy(before, data.items, at).filter((order_id) => !kept.includes(order_id));
  const left = before.filter(({ order_id, until }) => until > at && !gone.includes(order_id));
  return [...left.slice(-(most - 1)), begun];
}

const none: BuyerCheckouts = [];

/** Nothing is asked of them by themselves: a checkout begins in the commit of its order. */
export const buyerCheckouts = {
  events: buyerCheckoutsEvents,
  initial: none,
  evolve,
} as const;
