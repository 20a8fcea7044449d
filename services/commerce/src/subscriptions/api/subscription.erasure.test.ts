import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isRejection } from '@lyceum/kernel';
import { writeErasure } from '@lyceum/service';
import { found } from '@lyceum/testkit';
import { decideSubscription } from '../../subscribing/subscribing.ts';
import { type Subscribers, startSubscribers } from '../../testing/subscribers.ts';

let school: Subscribers;
beforeAll(async () => void (school = await startSubscribers()));
afterAll(() => school.close());

/** As the process does that carries out erasures. */
async function erase(subject: string): Promise<void> {
  const at = '2026-01-05T08:00:00.000Z';
  await school.vault.destroy('school_1', subject);
  await writeErasure(school.log, { school: 'school_1', subject, meta: { actor: 'system' }, at });
  await school.started.erased?.('school_1', subject);
}

const readOnce = (id: string, status: string) =>
  found(async () => {
    const body = await school.read(id);
    return body.status === status ? body : undefined;
  }, `a subscription that is ${status}`);

describe('a member who is erased', () => {
  test('has no subscription any more, in this school, and the plan a subscriber less', async () => {
    const plans = [await school.plan(), await school.plan({ name: 'Other' }), await school.plan({ name: 'Third' })];
    const ids = [await school.given('gone', plans[0]!), await school.given('gone', plans[1]!)];
    const others = await school.given('stays', plans[0]!);
    await school.act(ids[1]!, 'pause');
    await school.call('POST', `/api/membership_plans/${plans[1]}/retire`);
    await school.settled();
    await erase('account_gone');
    await erase('account_gone');
    for (const id of ids)
      expect(await school.read(id)).toMatchObject({
        status: 'canceled',
        cancel_reason: 'erased',
        renews_at: null,
        current_period_start: expect.any(String),
      });
    expect(await school.read(others)).toMatchObject({ status: 'active', version: 1 });
    const counts = await Promise.all(plans.map((id) => school.call('GET', `/api/membership_plans/${id}`)));
    expect(counts.map(({ body }) => body.subscriber_count)).toEqual([1, 0, 0]);
  });

  test('is not given a plan', async () => {
    const plan = await school.plan();
    await school.vault.destroy('school_1', 'account_late');
    expect((await school.give('late', plan)).body.error).toBe('erased');
  });

  test('loses what begins after all, e.g. what was paid before', async () => {
    const plan = await school.plan();
    await erase('account_racing');
    const id = 'subscription_00000000-0000-7000-8000-0000000aaaaa';
    const { timezone, terms } = {
      timezone: 'UTC',
      terms: {
        plan_id: plan,
        plan_version: 1,
        kind: 'recurring',
        interval: { unit: 'month', count: 1 },
        price: { amount: 1_500, currency: 'USD' },
      },
    } as const;
    const given = await decideSubscription(
      school,
      { school: 'school_1', id, commitId: '00000000-0000-4000-8000-000000000001' },
      (now) => ({ type: 'GiveSubscription', member_id: 'account_racing', terms, timezone, now }),
    );
    expect(isRejection(given)).toBe(false);
    expect(await readOnce(id, 'canceled')).toMatchObject({ cancel_reason: 'erased' });
  });
});
