import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { subscriptionEvents } from '../subscription.events.ts';
import { evolve } from '../subscription.folding.ts';
import { isSubscriptionId } from '../subscription.ids.ts';
import type { Subscription } from '../subscription.state.ts';
import { renewsAt } from './subscription.view.ts';

/** The read model behind lists of subscriptions: ids only, no person stands in it. */
export const subscriptions: Collection = {
  name: 'subscriptions',
  version: 1,
  fields: {
    status: 'text',
    member_id: 'text',
    plan_id: 'text',
    renews_at: 'text',
    created_at: 'text',
    updated_at: 'text',
  },
};

/** The subscription of a row, without what the provider calls the agreement. */
export const subscriptionOfRow = (row: Document): Subscription =>
  rowAs<{ readonly subscription: Subscription }>(row).subscription;

/** Folds the events of each subscription into its row. */
export const subscriptionProjection: Projection = {
  collection: subscriptions,
  key: ({ stream }) => (isSubscriptionId(stream) ? stream : undefined),
  project(event, before): Document | null {
    const { at, version } = event;
    const next = evolve(before ? subscriptionOfRow(before) : null, upcast(subscriptionEvents, event), { at, version });
    if (!next) return null;
    const subscription = { ...next, agreement: null };
    const { status, member_id, terms, created_at, updated_at } = subscription;
    const renews_at = renewsAt(subscription);
    return { subscription, status, member_id, plan_id: terms.plan_id, renews_at, created_at, updated_at };
  },
};
