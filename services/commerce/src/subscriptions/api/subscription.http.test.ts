import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { disagreements } from '@lyceum/web';
import { subscriptionRejections } from '../../subscribing/subscribing.ts';
import { type Subscribers, startSubscribers } from '../../testing/subscribers.ts';

let school: Subscribers;
let monthly: string;
beforeAll(async () => {
  school = await startSubscribers();
  monthly = await school.plan();
});
afterAll(() => school.close());

const day = 86_400_000;
const nobody = 'subscription_00000000-0000-7000-8000-00000000ffff';
const planOf = async (id: string) => (await school.call('GET', `/api/membership_plans/${id}`)).body;

test('rejections have the statuses of the error table', () => {
  expect(disagreements(subscriptionRejections)).toEqual([]);
});

describe('giving a plan', () => {
  test('begins a subscription that costs nothing, and counts a subscriber', async () => {
    const made = await school.give('ada', monthly);
    expect([made.status, made.headers.get('location')]).toEqual([201, `/api/subscriptions/${made.body.id}`]);
    expect(made.body).toMatchObject({
      object: 'subscription',
      status: 'active',
      member_id: 'account_ada',
      plan_id: monthly,
      plan_version: 1,
      source: 'comp',
      kind: 'recurring',
      interval: { unit: 'month', count: 1 },
      price: { amount: 0, currency: 'USD' },
      current_period_start: '2026-01-05T08:00:00.000Z',
      current_period_end: '2026-02-05T08:00:00.000Z',
      renews_at: '2026-02-05T08:00:00.000Z',
      trial_end: null,
      cancel_at_period_end: false,
      order_id: null,
      provider: null,
      provider_ref: null,
      view: 'staff',
      version: 1,
    });
    expect(await school.read(made.body.id)).toEqual(made.body);
    expect(made.headers.get('etag')).toBe('"1"');
    expect(await planOf(monthly)).toMatchObject({ subscriber_count: 1 });
  });

  test('is done once for an Idempotency-Key, and once for a member and a plan', async () => {
    const headers = { 'idempotency-key': 'the-same-gift' };
    const [first, again] = [
      await school.give('bo', monthly, { headers }),
      await school.give('bo', monthly, { headers }),
    ];
    expect([first.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    const other = await school.give('bo', monthly);
    expect([other.status, other.body.error]).toEqual([409, 'already_subscribed']);
    expect((await school.give('bo', await school.plan({ name: 'Another' }))).status).toBe(201);
    const reused = await school.give('cy', monthly, { headers });
    expect(reused.status).toBe(422);
  });

  test.each([
    ['a member that there is not', 'nobody', 404, 'not_found'],
    ['somebody who was erased', 'erased', 409, 'erased'],
  ])('is refused for %s', async (_, member, status, error) => {
    const got = await school.give(member, monthly);
    expect([got.status, got.body.error]).toEqual([status, error]);
  });

  test.each([
    ['no plan', { plan_id: undefined }],
    ['a plan that there is not', { plan_id: 'plan_00000000-0000-7000-8000-00000000ffff' }],
    ['an id of another kind', { plan_id: 'course_00000000-0000-7000-8000-000000000001' }],
    ['a price', { price: 1 }],
    ['too long an id', { member_id: 'a'.repeat(65) }],
  ])('is refused with %s', async (_, more) => {
    const body = { member_id: 'account_di', plan_id: monthly, ...more };
    const got = await school.call('POST', '/api/subscriptions', { body });
    expect([got.status, got.body.error]).toEqual([422, 'validation_failed']);
  });

  test('is refused of a plan that is a draft, or is sold no more', async () => {
    const wanted = { name: 'Draft', price: { amount: 1 }, grants: { courses: 'all' } };
    const { body: draft } = await school.call('POST', '/api/membership_plans', { body: wanted });
    expect((await school.give('di', draft.id)).body.error).toBe('invalid_state');
    const retired = await school.plan({ name: 'Retired' });
    await school.call('POST', `/api/membership_plans/${retired}/retire`);
    const got = await school.give('di', retired);
    expect([got.status, got.body.error]).toEqual([409, 'invalid_state']);
  });

  test('waits while the school service is away', async () => {
    const alone = await startSubscribers({ ports: { ask: () => Promise.reject(new Error('away')) } });
    const got = await alone.give('ada', await alone.plan());
    expect([got.status, got.body.error, got.headers.get('retry-after')]).toEqual([503, 'temporarily_unavailable', '1']);
    await alone.close();
  });

  test('50 at once for 5 seats: exactly 5', async () => {
    const few = await school.plan({ name: 'Few', max_subscribers: 5 });
    const asked = Array.from({ length: 50 }, (_, index) => school.give(`crowd_${index}`, few));
    const answers = await Promise.all(asked);
    const codes = answers.map(({ status, body }) => (status === 201 ? 'given' : body.error));
    expect(codes.filter((code) => code === 'given')).toHaveLength(5);
    expect(codes.filter((code) => code === 'sold_out')).toHaveLength(45);
    expect(await planOf(few)).toMatchObject({ subscriber_count: 5, available: false });
    const [first] = answers.filter(({ status }) => status === 201);
    await school.act(first!.body.id, 'cancel', { at: 'now' });
    expect(await planOf(few)).toMatchObject({ subscriber_count: 4, available: true });
    expect((await school.give('crowd_next', few)).status).toBe(201);
    expect((await school.give('crowd_late', few)).body.error).toBe('sold_out');
  });
});

describe('a subscription', () => {
  let member = 0;
  const fresh = () => school.given(`fresh_${(member += 1)}`, monthly);

  test('is canceled for the end of its period, and goes on after all', async () => {
    const id = await fresh();
    const { current_period_end } = await school.read(id);
    const canceled = await school.act(id, 'cancel', { reason: 'too_expensive' });
    expect([canceled.status, canceled.body]).toMatchObject([
      200,
      {
        status: 'active',
        cancel_at_period_end: true,
        ends_at: current_period_end,
        cancel_reason: 'too_expensive',
        renews_at: null,
        ended_at: null,
      },
    ]);
    expect((await school.act(id, 'cancel', { reason: 'unused' })).body).toEqual(canceled.body);
    const resumed = await school.act(id, 'resume');
    expect(resumed.body).toMatchObject({
      cancel_at_period_end: false,
      ends_at: null,
      canceled_at: null,
      cancel_reason: null,
      renews_at: current_period_end,
    });
    expect((await school.act(id, 'resume')).body).toEqual(resumed.body);
  });

  test('is canceled at once, for good, without a body with its period', async () => {
    const id = await fresh();
    expect((await school.act(id, 'cancel')).body).toMatchObject({ cancel_at_period_end: true, cancel_reason: 'other' });
    expect((await school.act(id, 'cancel', { at: 'now', reason: 'unused' })).body).toMatchObject({
      status: 'canceled',
      ended_at: expect.any(String),
      cancel_reason: 'unused',
      cancel_at_period_end: false,
    });
    for (const action of ['cancel', 'resume', 'pause'])
      expect([action, (await school.act(id, action)).body.error]).toEqual([action, 'already_canceled']);
    const extended = await school.act(id, 'extend', { days: 1 });
    expect([extended.status, extended.body.error]).toEqual([409, 'already_canceled']);
  });

  test('rests, and goes on with the days that were left', async () => {
    const id = await fresh();
    const before = await school.read(id);
    const paused = await school.act(id, 'pause');
    expect(paused.body).toMatchObject({ status: 'paused', paused_at: expect.any(String), renews_at: null });
    expect((await school.act(id, 'pause')).body).toEqual(paused.body);
    expect((await school.act(id, 'extend', { days: 1 })).body.error).toBe('invalid_state');
    school.clock.advance(3 * day);
    const { body } = await school.act(id, 'resume');
    expect(body).toMatchObject({ status: 'active', paused_at: null });
    expect(Date.parse(body.current_period_end) - Date.parse(before.current_period_end)).toBe(3 * day);
  });

  test('lasts longer, by 1 to 365 days', async () => {
    const id = await fresh();
    const { current_period_end } = await school.read(id);
    const { body } = await school.act(id, 'extend', { days: 14 });
    expect(Date.parse(body.current_period_end) - Date.parse(current_period_end)).toBe(14 * day);
    for (const days of [0, 366, 1.5, '1', null])
      expect([days, (await school.act(id, 'extend', { days })).status]).toEqual([days, 422]);
    expect((await school.act(id, 'extend')).body.error).toBe('invalid_request');
  });

  test('to a plan for life has no end, and ends at once only', async () => {
    const plan = { name: 'For life', kind: 'lifetime', interval: null, interval_count: null };
    const id = await school.given('ever', await school.plan(plan));
    expect(await school.read(id)).toMatchObject({ kind: 'lifetime', interval: null, current_period_end: null });
    for (const [action, body] of [['cancel'], ['pause'], ['extend', { days: 1 }]] as const)
      expect([action, (await school.act(id, action, body)).body.error]).toEqual([action, 'invalid_state']);
    expect((await school.act(id, 'cancel', { at: 'now' })).body).toMatchObject({ status: 'canceled' });
  });

  test('is changed at the version that was seen only', async () => {
    const id = await fresh();
    const old = { headers: { 'if-match': '"7"' } };
    expect((await school.act(id, 'pause', undefined, old)).status).toBe(412);
    expect((await school.act(id, 'pause', undefined, { headers: { 'if-match': '"1"' } })).status).toBe(200);
  });

  test.each([
    ['cancel', { at: 'later' }],
    ['cancel', { reason: 'erased' }],
    ['cancel', { refund: true }],
    ['extend', { days: 1, price: 0 }],
  ])('is not %sed with %j', async (action, body) => {
    expect((await school.act(await fresh(), action, body)).body.error).toBe('validation_failed');
  });

  test('that there is not is 404', async () => {
    expect((await school.call('GET', `/api/subscriptions/${nobody}`)).status).toBe(404);
    expect((await school.call('GET', `/api/subscriptions/${monthly}`)).status).toBe(404);
    for (const [action, body] of [['cancel'], ['resume'], ['pause'], ['extend', { days: 1 }]] as const)
      expect([action, (await school.act(nobody, action, body)).status]).toEqual([action, 404]);
  });
});
