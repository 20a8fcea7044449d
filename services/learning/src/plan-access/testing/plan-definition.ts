import type { Item } from '../../grants/grant.ts';
import type { Fact } from './plan-world.ts';

/** What a plan may open in these histories. */
export const items: readonly Item[] = [
  { item_type: 'course', item_id: 'course_a' },
  { item_type: 'course', item_id: 'course_b' },
  { item_type: 'course', item_id: 'course_c' },
  { item_type: 'digital_product', item_id: 'product_a' },
];

/** One thing that may happen. What cannot happen now does not. */
export interface Op {
  readonly what: 'grants' | 'start' | 'pause' | 'resume' | 'cancel' | 'lapse' | 'change' | 'show' | 'hide';
  readonly plan: 0 | 1;
  readonly subscription: 0 | 1 | 2;
  readonly item: number;
  readonly courses: 'all' | readonly string[];
  readonly products: 'all' | readonly string[];
  readonly keep: boolean;
}

type Grants = Pick<Op, 'courses' | 'products'>;

interface Subscription {
  readonly member: string;
  status: 'none' | 'live' | 'paused' | 'over';
  plan: 0 | 1;
  access: number;
  /** What its plan opens to it, public or not, by the id of the item. */
  rights: Set<string>;
  /** What it has been given. */
  has: Set<string>;
}

const subscription = (member: string): Subscription => ({
  member,
  status: 'none',
  plan: 0,
  access: 0,
  rights: new Set(),
  has: new Set(),
});

const opens = ({ courses, products }: Grants, { item_type, item_id }: Item): boolean => {
  const which = item_type === 'course' ? courses : products;
  return which === 'all' || which.includes(item_id);
};

const openedBy = (grants: Grants) => items.filter((item) => opens(grants, item)).map(({ item_id }) => item_id);

const stated = ({ courses, products }: Grants) =>
  (
    [
      ['course', courses],
      ['digital_product', products],
    ] as const
  ).flatMap(([item_type, which]): readonly { item_type: string; item_id: string | null }[] =>
    which === 'all' ? [{ item_type, item_id: null }] : which.map((item_id) => ({ item_type, item_id })),
  );

/**
 * What plan access means, where everything happens at once: a subscription has what its plan opens as of now and what it
 * may keep, from when the item is public, until it or its plan says otherwise. Gives what the services publish of it.
 */
export class PlanDefinition {
  readonly subscriptions = [subscription('account_1'), subscription('account_1'), subscription('account_2')];
  readonly #plans: Grants[] = [
    { courses: [], products: [] },
    { courses: [], products: [] },
  ];
  readonly public = new Set<string>();
  /** What was public once and then was not. */
  readonly hidden = new Set<string>();

  /** Whether somebody has an item; whether that is for sure: where something was hidden, it depends on who came first. */
  expected(member: string, { item_id }: Item) {
    const own = this.subscriptions.filter((each) => each.member === member);
    return {
      has: own.some(({ has }) => has.has(item_id)),
      may: own.some(({ rights }) => rights.has(item_id)),
      isSure: this.public.has(item_id) || !this.hidden.has(item_id),
    };
  }

  /** What is published of something that happens; undefined when it cannot. */
  happen(op: Op): Fact | undefined {
    const fact = this.#happen(op);
    for (const each of this.subscriptions) {
      const given = [...each.rights].filter((id) => this.public.has(id) || each.has.has(id));
      each.has = new Set(given);
    }
    return fact;
  }

  #happen(op: Op): Fact | undefined {
    switch (op.what) {
      case 'grants':
        return this.#set(op);
      case 'show':
      case 'hide':
        return this.#list(op);
      default:
        return this.#subscribe(op);
    }
  }

  #set({ plan, courses, products, keep }: Op): Fact | undefined {
    const [before, after] = [this.#plans[plan]!, { courses, products }];
    if (JSON.stringify(before) === JSON.stringify(after)) return undefined;
    const removed = openedBy(before).filter((id) => !openedBy(after).includes(id));
    this.#plans[plan] = after;
    for (const each of this.subscriptions)
      if (each.status === 'live' && each.plan === plan) {
        for (const id of openedBy(after)) each.rights.add(id);
        if (!keep) for (const id of removed) each.rights.delete(id);
      }
    const differ = (one: Grants, other: Grants) =>
      stated(one).filter((each) => !stated(other).some((its) => JSON.stringify(its) === JSON.stringify(each)));
    const grants = { courses, digital_products: products, posts: false, event_discount_percent: 0 };
    const plan_id = `plan_${plan}`;
    const changed = { added: differ(after, before), removed: differ(before, after), keep_existing: keep };
    const data = { plan_id, plan_version: 1, grants, ...changed };
    return { source: 'commerce', stream: plan_id, type: 'PlanGrantsChanged', data };
  }

  #list({ what, item }: Op): Fact | undefined {
    const { item_type, item_id } = items[item % items.length]!;
    if (what === 'hide' && !this.public.delete(item_id)) return undefined;
    if (what === 'hide') this.hidden.add(item_id);
    else this.public.add(item_id);
    const kind = item_type === 'course' ? 'Course' : 'DigitalProduct';
    const type = `${kind}${what === 'hide' ? 'Unpublished' : 'Shown'}`;
    const data = item_type === 'course' ? { course_id: item_id } : { product_id: item_id };
    return { source: 'catalog', stream: item_id, type, data };
  }

  #subscribe({ what, plan, subscription: index }: Op): Fact | undefined {
    const own = this.subscriptions[index]!;
    const from_plan_id = `plan_${own.plan}`;
    const isLive = own.status === 'live';
    const said = (type: string, more: object = {}): Fact => {
      const id = `subscription_${index}`;
      const about = { subscription_id: id, member_id: own.member, plan_id: `plan_${own.plan}`, access: own.access };
      return { source: 'commerce', stream: id, type, data: { ...about, ...more } };
    };
    if (what === 'start' && own.status === 'none') return (this.#begin(own, plan), said('SubscriptionStarted'));
    if (what === 'resume' && own.status === 'paused') return (this.#begin(own, own.plan), said('SubscriptionResumed'));
    if (what === 'change' && isLive && plan !== own.plan) {
      this.#begin(own, plan);
      return said('SubscriptionPlanChanged', { from_plan_id, access_before: own.access - 1 });
    }
    if (what === 'pause' && isLive) return (this.#end(own, 'paused'), said('SubscriptionPaused'));
    if (what === 'lapse' && isLive) return (this.#end(own, 'over'), said('SubscriptionLapsed'));
    if (what === 'cancel' && (isLive || own.status === 'paused'))
      return (this.#end(own, 'over'), said('SubscriptionCanceled'));
    return undefined;
  }

  #begin(own: Subscription, plan: 0 | 1): void {
    const rights = new Set(openedBy(this.#plans[plan]!));
    Object.assign(own, { status: 'live', plan, access: own.access + 1, rights });
  }

  #end(own: Subscription, status: 'paused' | 'over'): void {
    Object.assign(own, { status, rights: new Set() });
  }
}
