import { describe, expect, test } from '@jest/globals';
import { type FollowPlan, decidePlanAccess, planSource } from './grant.plans.ts';
import { type Grant, grantId, grantsAfter, hasAccess } from './grant.ts';

const item = { item_type: 'course', item_id: 'course_1' } as const;
const granting = { item, about: { member_id: 'account_1', course_id: 'course_1' } };
const [first, later] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];

const follow = (access: number, generation: number | null, opens: boolean, now = later) =>
  ({ type: 'FollowPlan', subscription_id: 'subscription_1', access, generation, opens, reason: 'why', now }) as const;

const after = (grants: readonly Grant[], command: FollowPlan & { readonly now: string }) =>
  decidePlanAccess(command, granting, grants).reduce<readonly Grant[]>(grantsAfter, grants);

const live = (grants: readonly Grant[]) => grants.filter(({ revoked }) => !revoked).map(({ source_id }) => source_id);

/** Open for the first time. */
const opened = after([], follow(1, 0, true, first));

describe('what a subscription opens', () => {
  test('has a source that follows from the subscription: of each time, and of each time that the plan opened the item', () => {
    const term = { subscription_id: 'subscription_1', access: 2 };
    expect(planSource({ ...term, generation: 0 })).toEqual({
      source_type: 'subscription',
      source_id: 'subscription_1.2',
    });
    expect(planSource({ ...term, generation: 3 }).source_id).toBe('subscription_1.2.3');
    // Stored for ever: the same source has the same grant in every release.
    expect(grantId(planSource({ ...term, generation: 0 }), item)).toBe('03856c54-fb4a-538b-92df-bc4b46519a14');
  });

  test('is granted once, without an end by time', () => {
    expect(opened).toMatchObject([{ starts_at: first, expires_at: null, revoked: false }]);
    expect(decidePlanAccess(follow(1, 0, true), granting, opened)).toEqual([]);
  });

  test('is taken back when the subscription is over, and nothing is written of what was never given', () => {
    const over = after(opened, follow(1, null, false));
    expect(hasAccess({ grants: over }, later)).toBe(false);
    expect(decidePlanAccess(follow(1, null, false), granting, over)).toEqual([]);
    expect(decidePlanAccess(follow(1, null, false), granting, [])).toEqual([]);
  });

  test('is not opened again by what is late, nor closed by the end of a time before', () => {
    const over = after(opened, follow(1, null, false));
    expect(decidePlanAccess(follow(1, 0, true), granting, over)).toEqual([]);
    const again = after(over, follow(2, 0, true));
    for (const late of [follow(1, null, false), follow(1, 0, true), follow(1, 5, false)])
      expect(decidePlanAccess(late, granting, again)).toEqual([]);
    expect(live(again)).toEqual(['subscription_1.2']);
  });

  test('goes on without a gap under another plan: since when it did, and in one decision', () => {
    const events = decidePlanAccess(follow(2, 0, true), granting, opened);
    expect(events.map(({ type }) => type)).toEqual(['AccessGranted', 'AccessRevoked']);
    expect(events[0]?.data).toMatchObject({ source_id: 'subscription_1.2', starts_at: first });
    expect(live(after(opened, follow(2, 0, true)))).toEqual(['subscription_1.2']);
  });

  test('begins anew after a gap', () => {
    const paused = after(opened, follow(1, null, false));
    expect(after(paused, follow(2, 0, true)).at(-1)).toMatchObject({ starts_at: later });
  });

  test('is closed by its plan up to the generation before, and opened again by the next one', () => {
    const closed = after(opened, follow(1, 1, false));
    expect(live(closed)).toEqual([]);
    const reopened = after(closed, follow(1, 1, true));
    expect(live(reopened)).toEqual(['subscription_1.1.1']);
    expect(decidePlanAccess(follow(1, 1, false), granting, reopened)).toEqual([]);
    expect(live(after(reopened, follow(1, 2, false)))).toEqual([]);
  });

  test('leaves alone what comes from elsewhere: other sources, other subscriptions', () => {
    const others = [
      { source_type: 'order_line', source_id: 'subscription_1.1' },
      { source_type: 'subscription', source_id: 'subscription_2.1' },
      { source_type: 'subscription', source_id: 'subscription_1' },
    ].map((source, index): Grant => {
      return { grant_id: `grant_${index}`, ...source, starts_at: first, expires_at: null, revoked: false };
    });
    expect(decidePlanAccess(follow(9, null, false), granting, others)).toEqual([]);
    expect(live(after([...others, ...opened], follow(1, null, false)))).toEqual(others.map((each) => each.source_id));
  });
});
