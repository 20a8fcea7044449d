import { type PersonalData, rowsAbout } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { subscriptionOfRow, subscriptions } from './subscription.rows.ts';
import { ownSubscription } from './subscription.schema.ts';
import { subscriptionDocument } from './subscription.view.ts';

/** The membership plans that a person has, or had. */
export const subscriptionData: PersonalData<Ports> = {
  file: 'subscriptions',
  read: (person, ports, after) =>
    rowsAbout(ports, person, { collection: subscriptions, field: 'member_id' }, after, ({ id, body }) =>
      ownSubscription.parse(subscriptionDocument(id, subscriptionOfRow(body), 'member')),
    ),
};
