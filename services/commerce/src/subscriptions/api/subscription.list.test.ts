import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Subscribers, staffToken, startSubscribers } from '../../testing/subscribers.ts';

let school: Subscribers;
const ids: Record<string, string> = {};
const plans: Record<string, string> = {};
beforeAll(async () => {
  school = await startSubscribers();
  plans['monthly'] = await school.plan();
  plans['yearly'] = await school.plan({ name: 'Patrons', interval: 'year' });
  for (const [name, plan] of [
    ['ada', 'monthly'],
    ['bo', 'yearly'],
    ['cy', 'monthly'],
    ['di', 'yearly'],
  ] as const) {
    ids[name] = await school.given(name, plans[plan]!);
    school.clock.advance(60_000);
  }
  await school.act(ids['cy']!, 'cancel');
  await school.act(ids['di']!, 'cancel', { at: 'now' });
  await school.settled();
});
afterAll(() => school.close());

const namesIn = ({ data }: { data: readonly { id: string }[] }) =>
  data.map(({ id }) => Object.entries(ids).find(([, each]) => each === id)?.[0]);
const list = async (query = '') => (await school.call('GET', `/api/subscriptions${query}`)).body;

describe('the list of subscriptions', () => {
  test('has them newest first, each as it is read alone', async () => {
    const body = await list();
    expect([body.object, body.view, namesIn(body)]).toEqual(['list', 'staff', ['di', 'cy', 'bo', 'ada']]);
    for (const each of body.data) expect(each).toEqual(await school.read(each.id));
  });

  test.each([
    ['?status=active', ['cy', 'bo', 'ada']],
    ['?status=canceled', ['di']],
    ['?status=past_due', []],
    ['?plan_id={yearly}', ['di', 'bo']],
    ['?member_id=account_ada', ['ada']],
    ['?member_id=account_none', []],
    ['?renews_before=2026-02-06T00:00:00Z', ['ada']],
    ['?renews_before=2027-02-06T00:00:00Z', ['bo', 'ada']],
    ['?renews_before=2026-02-05T08:00:00Z', []],
    ['?sort=created_at', ['ada', 'bo', 'cy', 'di']],
    ['?sort=-renews_at&status=active', ['bo', 'ada', 'cy']],
    ['?plan_id={monthly}&status=active&sort=created_at', ['ada', 'cy']],
  ])('can be asked for by %s', async (query, names) => {
    const filled = query.replace(/\{(\w+)\}/, (_, name: string) => plans[name] ?? '');
    expect(namesIn(await list(filled))).toEqual(names);
  });

  test.each([
    ['?status=strange', 422],
    ['?plan_id=course_1', 422],
    ['?sort=price', 422],
    ['?renews_before=soon', 422],
    ['?unknown=1', 400],
  ])('refuses %s', async (query, status) => {
    expect((await school.call('GET', `/api/subscriptions${query}`)).status).toBe(status);
  });

  test.each(['created_at', '-created_at', 'renews_at', '-renews_at'])(
    'is paged by %s without a row twice',
    async (sort) => {
      const whole = namesIn(await list(`?sort=${sort}`));
      const paged: unknown[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await list(`?sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`);
        paged.push(...namesIn(page));
        cursor = page.next_cursor;
      }
      expect(paged).toEqual(whole);
      expect(whole).toHaveLength(4);
    },
  );

  test('shows plans whole, to who may read plans', async () => {
    const { data } = await list('?expand=plan&fields=status&limit=2');
    expect(data.map(({ plan }: { plan: object }) => plan)).toMatchObject([
      { id: plans['yearly'], name: 'Patrons', subscriber_count: 1 },
      { id: plans['monthly'], name: 'Friends', subscriber_count: 2 },
    ]);
    const one = await school.call('GET', `/api/subscriptions/${ids['ada']}?expand=plan`);
    expect([one.body.plan.id, one.headers.get('etag')]).toEqual([plans['monthly'], null]);
    const narrow = { as: staffToken('admin', ['subscriptions:read']) };
    const refused = await school.call('GET', '/api/subscriptions?expand=plan', narrow);
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope']);
  });

  test('has what was written, when it is asked with the token of the write', async () => {
    const { headers } = await school.give('ed', plans['monthly']!);
    const seen = { 'consistency-token': headers.get('consistency-token') ?? '', prefer: 'wait=5' };
    const { body } = await school.call('GET', '/api/subscriptions?member_id=account_ed', { headers: seen });
    expect(body.data).toHaveLength(1);
  });
});
