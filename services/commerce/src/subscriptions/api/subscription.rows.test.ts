import { expect, test } from '@jest/globals';
import type { Document } from '@lyceum/documents';
import fc from 'fast-check';
import { subscriptionEvents } from '../subscription.events.ts';
import type { History } from '../testing/histories.ts';
import { histories, play } from '../testing/random-histories.ts';
import { subscriptionOfRow, subscriptionProjection } from './subscription.rows.ts';
import { ownSubscription, subscriptionReply } from './subscription.schema.ts';
import { renewsAt, subscriptionDocument } from './subscription.view.ts';

const stream = 'subscription_00000000-0000-7000-8000-000000000001';

/** The row after each event of a history, as it was stored and read again. */
const rowOf = ({ log }: History): Document | undefined =>
  log.reduce<Document | undefined>((before, { event, at }, index) => {
    const schema = subscriptionEvents[event.type].version;
    const recorded = { ...event, tenant: 'school_1', stream, schema, at, version: index + 1, position: index + 1 };
    const row = subscriptionProjection.project(recorded, before);
    return row ? JSON.parse(JSON.stringify(row)) : undefined;
  }, undefined);

test('5,000 histories: the read model is the fold, and both views of it fit what they promise', () => {
  let waiting = 0;
  fc.assert(
    fc.property(histories, (given) => {
      const { history } = play(given);
      const { state } = history;
      const row = rowOf(history);
      if (!state || !row) return state === null && row === undefined;
      if (state.change) waiting += 1;
      const shown = subscriptionDocument(stream, subscriptionOfRow(row), 'staff');
      const { agreement: _kept, ...known } = state;
      const { agreement, ...folded } = subscriptionOfRow(row);
      return (
        agreement === null &&
        JSON.stringify(Object.entries(folded).toSorted()) === JSON.stringify(Object.entries(known).toSorted()) &&
        row['status'] === state.status &&
        row['member_id'] === state.member_id &&
        row['plan_id'] === state.terms.plan_id &&
        row['renews_at'] === renewsAt(state) &&
        subscriptionReply.safeParse(shown).success &&
        ownSubscription.safeParse(shown).success
      );
    }),
    { numRuns: 5_000 },
  );
  expect(waiting).toBeGreaterThan(50);
}, 60_000);

test('events of other streams are none of its own', () => {
  const event = { tenant: 'school_1', type: 'OrderPlaced', schema: 1, data: {}, version: 1, at: '', position: 1 };
  expect(subscriptionProjection.key({ ...event, stream: 'order_1' })).toBe(undefined);
  expect(subscriptionProjection.key({ ...event, stream })).toBe(stream);
});
