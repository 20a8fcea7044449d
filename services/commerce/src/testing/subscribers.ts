import type { TokenClaims } from '@lyceum/oauth/testing';
import type { Got, Sent, UnderTestOptions } from '@lyceum/testkit-service';
import type { CommerceSettings } from '../ports/commerce-settings.ts';
import { type Selling, standingOf, startSelling } from './selling.ts';

/** A school that sells plans, and members who have them. */
export interface Subscribers extends Selling {
  /** A plan that is sold: monthly for 1,500 unless stated. Gives its id. */
  plan(body?: object, sent?: Sent): Promise<string>;
  /** The staff give a member a plan. */
  give(member: string, plan: string, sent?: Sent): Promise<Got>;
  /** A member has a plan by now. Gives the id of the subscription. */
  given(member: string, plan: string): Promise<string>;
  /** The staff do something with a subscription. */
  act(id: string, action: string, body?: object, sent?: Sent): Promise<Got>;
  /** The subscription as the staff read it. */
  read(id: string): Promise<Got['body']>;
}

/** What the school service answers. */
async function askSchool(_service: string, question: Readonly<Record<string, unknown>>): Promise<unknown> {
  const { kind, ids, school } = question;
  if (kind !== 'standing-of-members' || !Array.isArray(ids)) return undefined;
  return { members: ids.flatMap((id) => standingOf(String(id), String(school))) };
}

/** The token of somebody of the staff. */
export const staffToken = (role: 'owner' | 'admin' | 'lecturer', scopes?: TokenClaims['scopes']): TokenClaims => ({
  role,
  subject: `account_${role}`,
  ...(scopes ? { scopes } : {}),
});

/** Starts the service with what such a school has. */
export async function startSubscribers(options: UnderTestOptions<CommerceSettings> = {}): Promise<Subscribers> {
  const selling = await startSelling({ ...options, ports: { ask: askSchool, ...options.ports } });
  const { call } = selling;
  const give: Subscribers['give'] = (member, plan_id, sent = {}) =>
    call('POST', '/api/subscriptions', { ...sent, body: { member_id: `account_${member}`, plan_id } });
  return {
    ...selling,
    give,
    async plan(body = {}, sent = {}) {
      const wanted = { name: 'Friends', price: { amount: 1_500 }, grants: { courses: 'all' }, ...body };
      const { body: made } = await call('POST', '/api/membership_plans', { ...sent, body: wanted });
      const published = await call('POST', `/api/membership_plans/${made.id}/publish`, sent);
      if (published.status !== 200) throw new Error(`no plan: ${JSON.stringify([made, published.body])}`);
      return made.id;
    },
    async given(member, plan) {
      const { status, body } = await give(member, plan);
      if (status !== 201) throw new Error(`no subscription: ${JSON.stringify(body)}`);
      return body.id;
    },
    act: (id, action, body, sent = {}) =>
      call('POST', `/api/subscriptions/${id}/${action}`, { ...sent, ...(body ? { body } : {}) }),
    read: async (id) => (await call('GET', `/api/subscriptions/${id}`)).body,
  };
}
