import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { memberToken } from '../../testing/selling.ts';
import { type Subscribers, startSubscribers } from '../../testing/subscribers.ts';

let school: Subscribers;
let plan: string;
beforeAll(async () => {
  school = await startSubscribers();
  plan = await school.plan();
});
afterAll(() => school.close());

const path = '/api/account/subscriptions';
const as = (name: string) => ({ as: memberToken(name) });
const act = (name: string, id: string, action: string, body?: object) =>
  school.call('POST', `${path}/${id}/${action}`, { ...as(name), ...(body ? { body } : {}) });

describe('a member', () => {
  test('finds their own subscriptions, without what is the staff’s', async () => {
    const id = await school.given('ada', plan);
    await school.given('bo', plan);
    await school.settled();
    const { body } = await school.call('GET', path, as('ada'));
    expect(body.data).toMatchObject([{ id, status: 'active', plan_id: plan, price: { amount: 0, currency: 'USD' } }]);
    for (const name of ['member_id', 'provider', 'provider_ref', 'next_attempt_at'])
      expect([name, name in body.data[0]]).toEqual([name, false]);
    const one = await school.call('GET', `${path}/${id}`, as('ada'));
    const { view: _view, ...own } = one.body;
    const { view: _also, ...listed } = body.data[0];
    expect([own, one.headers.get('etag')]).toEqual([listed, '"1"']);
    expect((await school.call('GET', `${path}?status=canceled`, as('ada'))).body.data).toEqual([]);
    expect((await school.call('GET', `${path}?fields=status`, as('ada'))).body.data[0]).not.toHaveProperty('plan_id');
  });

  test('cancels for the end of the period, and takes it back', async () => {
    const id = await school.given('cy', plan);
    const canceled = await act('cy', id, 'cancel', { reason: 'too_expensive' });
    expect(canceled.body).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
      cancel_reason: 'too_expensive',
    });
    expect(await school.read(id)).toMatchObject({ cancel_at_period_end: true });
    expect((await act('cy', id, 'resume')).body).toMatchObject({ cancel_at_period_end: false, cancel_reason: null });
    expect((await act('cy', id, 'cancel')).body).toMatchObject({ cancel_reason: 'other' });
  });

  test('does not end access at once, nor say that the platform canceled', async () => {
    const id = await school.given('di', plan);
    for (const body of [{ at: 'now' }, { reason: 'erased' }, { reason: 'refunded' }])
      expect((await act('di', id, 'cancel', body)).body.error).toBe('validation_failed');
    expect(await school.read(id)).toMatchObject({ version: 1 });
  });

  test('cancels what rests at once, and does not end the rest that the school decided', async () => {
    const id = await school.given('ed', plan);
    await school.act(id, 'pause');
    const refused = await act('ed', id, 'resume');
    expect([refused.status, refused.body.error]).toEqual([409, 'invalid_state']);
    expect((await act('ed', id, 'cancel')).body).toMatchObject({ status: 'canceled' });
    for (const action of ['cancel', 'resume'])
      expect([action, (await act('ed', id, action)).body.error]).toEqual([action, 'already_canceled']);
  });

  test('does not take back what the school canceled', async () => {
    const id = await school.given('flo', plan);
    await school.act(id, 'cancel');
    expect((await act('flo', id, 'resume')).body.error).toBe('invalid_state');
    expect((await school.act(id, 'resume')).body).toMatchObject({ cancel_at_period_end: false });
  });

  test('finds in the export of their data what they have', async () => {
    const id = await school.given('gil', plan);
    await school.settled();
    const question = { kind: 'personal-data', school: 'school_1', subject: 'account_gil', from: null };
    const told = JSON.stringify(await allOf(question));
    expect(told).toContain(id);
    expect(told).not.toContain('provider_ref');
  });
});

/** All pages of what the service keeps about a person. */
async function allOf(question: Readonly<Record<string, unknown>>): Promise<readonly unknown[]> {
  const pages: unknown[] = [];
  let from: unknown = null;
  for (let page = 0; page < 50; page += 1) {
    const answer: unknown = await school.started.answer?.({ ...question, kind: 'personal-data', from });
    pages.push(answer);
    const next = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'next') : undefined;
    if (next === null || next === undefined) return pages;
    from = next;
  }
  throw new Error('there are too many pages');
}
