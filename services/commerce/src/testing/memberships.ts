import { fold } from '@lyceum/eventlog';
import { found } from '@lyceum/testkit';
import type { Got, UnderTestOptions } from '@lyceum/testkit-service';
import type { CommerceSettings } from '../ports/commerce-settings.ts';
import type { Subscription } from '../subscriptions/subscription.state.ts';
import { subscriptionDecider } from '../subscriptions/subscription.ts';
import { type Selling, itemIds, memberToken, startSelling } from './selling.ts';

/** How a plan is bought. */
interface Buying {
  readonly as?: 'anonymous' | ReturnType<typeof memberToken>;
  readonly body?: object;
  readonly key?: string;
}

/** A shop that sells membership plans. */
export interface Memberships extends Selling {
  /** A plan that is sold: by default 31.00 USD a month. */
  plan(body?: object): Promise<string>;
  subscribe(plan: string, buying?: Buying): Promise<Got>;
  quote(plan: string, body?: object, as?: Buying['as']): Promise<Got>;
  /** The subscription once it is as it should be. Throws when it does not become so. */
  subscriptionOnce(id: string, is: (state: Subscription) => boolean): Promise<Subscription>;
  /** All orders of the school, the oldest first. */
  orders(): Promise<readonly Got['body'][]>;
}

let keys = 0;

/** Starts a shop that sells membership plans. */
export async function startMemberships(options: UnderTestOptions<CommerceSettings> = {}): Promise<Memberships> {
  const shop = await startSelling(options);
  const { call } = shop;
  const itemsOf = (item_id: string) => ({ items: [{ item_type: 'membership_plan', item_id }] });
  return {
    ...shop,
    async plan(body = {}) {
      keys += 1;
      const grants = { courses: [itemIds.lamps] };
      const made = await call('POST', '/api/membership_plans', {
        body: { name: `Plan ${keys}`, price: { amount: 3_100 }, grants, ...body },
      });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      await call('POST', `/api/membership_plans/${made.body.id}/publish`);
      return made.body.id;
    },
    subscribe(plan, { as = memberToken(), body = {}, key = `plan-key-${(keys += 1)}` } = {}) {
      const headers = { 'idempotency-key': key };
      return call('POST', '/api/checkout', { as, headers, body: { ...itemsOf(plan), ...body } });
    },
    quote: (plan, body = {}, as = memberToken()) =>
      call('POST', '/api/checkout/quotes', { as, body: { ...itemsOf(plan), ...body } }),
    async subscriptionOnce(id, is) {
      let now: Subscription | undefined;
      const look = async () => {
        const { state } = await fold(shop.log, subscriptionDecider, 'school_1', id);
        now = state ?? undefined;
        return now && is(now) ? now : undefined;
      };
      return found(look, () => `another subscription than ${JSON.stringify(now)}`);
    },
    async orders() {
      await shop.settled();
      const { body } = await call('GET', '/api/orders?limit=100');
      return body.data.toSorted((one: { number: number }, other: { number: number }) => one.number - other.number);
    },
  };
}
