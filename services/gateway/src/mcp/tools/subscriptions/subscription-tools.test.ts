import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestService, give } from '../../testing/catalog.ts';
import { type McpTestServer, type Said, openMcpTestServer } from '../../testing/mcp-test-server.ts';

const subscription = {
  id: 'subscription_1',
  member_id: 'account_1',
  plan_id: 'plan_1',
  status: 'active',
  source: 'checkout',
  price: { amount: 1_500, currency: 'USD' },
  current_period_end: '2026-02-05T08:00:00.000Z',
  renews_at: '2026-02-05T08:00:00.000Z',
  ends_at: null,
};
const whole = { ...subscription, object: 'subscription', provider_ref: 'agreement_1', view: 'staff' };

const shownOwn = {
  id: 'subscription_1',
  plan_id: 'plan_1',
  status: 'past_due',
  price: { amount: 1_500, currency: 'USD' },
  current_period_end: '2026-02-05T08:00:00.000Z',
  trial_end: null,
  renews_at: '2026-02-05T08:00:00.000Z',
  ends_at: null,
  grace_until: '2026-02-19T08:00:00.000Z',
};
const own = { ...shownOwn, object: 'subscription', order_id: 'order_1', balance: { amount: 0, currency: 'USD' } };

/** The commerce service, as far as the tools ask it. */
const commerce: TestService = ({ method, path, querystring }) => {
  if (path === '/api/subscriptions') {
    const isLast = querystring.includes('cursor=');
    return give(200, { object: 'list', data: [whole], has_more: !isLast, next_cursor: isLast ? null : 'more' });
  }
  if (path === '/api/account/subscriptions')
    return give(200, { object: 'list', data: [own], has_more: false, next_cursor: null, view: 'member' });
  if (path.includes('subscription_gone')) return give(404, { error: 'not_found' });
  if (method === 'GET') return give(200, whole);
  if (path.includes('subscription_over'))
    return give(409, { error: 'already_canceled', error_description: 'The subscription was canceled' });
  return give(200, { ...whole, ends_at: subscription.current_period_end }, { 'consistency-token': 'seen' });
};

describe('tools about subscriptions', () => {
  let edge: McpTestServer;
  beforeEach(async () => void (edge = await openMcpTestServer({ commerce })));
  afterEach(() => edge.close());

  const tokenOf = (role: 'owner' | 'admin' | 'lecturer' | 'member') => edge.school.token({ role });
  const call = async (name: string, args: object, role: Parameters<typeof tokenOf>[0] = 'admin') =>
    (await edge.modern('tools/call', { name, arguments: args }, { token: await tokenOf(role) })).body['result'] as Said;
  const written = () => edge.seen.filter(({ method }) => method !== 'GET');

  test('list who has what, filtered and page by page, without what the provider calls it', async () => {
    const filters = { status: 'active', plan_id: 'plan_1', renews_before: '2026-03-01T00:00:00Z', limit: 5 };
    const first = (await call('list_subscriptions', filters))['structuredContent'];
    expect(first.items).toEqual([subscription]);
    const rest = (await call('list_subscriptions', { ...filters, cursor: first.next_cursor }))['structuredContent'];
    expect(rest.next_cursor).toBeNull();
    const [one, two] = edge.seen.map(({ querystring }) => Object.fromEntries(new URLSearchParams(querystring)));
    expect(one).toEqual({ ...filters, limit: '5' });
    expect(two).toEqual({ ...one, cursor: 'more' });
    expect((await call('list_subscriptions', { cursor: first.next_cursor }))['isError']).toBe(true);
  });

  test('list to anybody who is signed in what is theirs, and to nobody else', async () => {
    for (const role of ['member', 'lecturer', 'owner'] as const) {
      const said = (await call('list_my_subscriptions', { status: 'past_due', limit: 3 }, role))['structuredContent'];
      expect(said).toEqual({ items: [shownOwn], next_cursor: null });
    }
    expect(edge.seen.map(({ path, querystring }) => `${path}?${querystring}`)).toEqual(
      Array(3).fill('/api/account/subscriptions?status=past_due&limit=3'),
    );
    const { tools } = (await edge.modern('tools/list')).body['result'];
    expect(tools.some(({ name }: Said) => name === 'list_my_subscriptions')).toBe(false);
    const refused = (await edge.modern('tools/call', { name: 'list_my_subscriptions', arguments: {} })).body['result'];
    expect([refused.isError, refused._meta['mcp/www_authenticate'][0]]).toEqual([
      true,
      expect.stringContaining('scope="account:read"'),
    ]);
    expect(edge.seen).toHaveLength(3);
  });

  test('cancel one after the person has agreed, once for a key', async () => {
    const args = { id: 'subscription_1', idempotency_key: 'key-00000001' };
    const asked = await call('cancel_subscription', args);
    expect([asked['isError'], asked['content'][0].text]).toEqual([
      true,
      expect.stringContaining('Cancel the subscription of account_1 with its period?'),
    ]);
    expect(written()).toEqual([]);
    const done = await call('cancel_subscription', { ...args, confirm: true });
    expect(done['structuredContent']).toEqual({
      subscription: { ...subscription, ends_at: subscription.current_period_end },
      consistency_token: 'seen',
    });
    expect(written()).toMatchObject([
      {
        path: '/api/subscriptions/subscription_1/cancel',
        json: { at: 'period_end' },
        headers: { 'idempotency-key': '"key-00000001"' },
      },
    ]);
  });

  test.each([
    ['that there is not', 'subscription_gone', 'list_subscriptions'],
    ['that is over', 'subscription_over', 'was canceled'],
  ])('say how to do better with one %s', async (_, id, text) => {
    const said = await call('cancel_subscription', { id, idempotency_key: 'key-00000001', confirm: true });
    expect([said['isError'], said['content'][0].text]).toEqual([true, expect.stringContaining(text)]);
  });

  test('name one subscription, wherever a path could lead', async () => {
    const id = '../orders/order_1';
    await call('cancel_subscription', { id, idempotency_key: 'key-00000001', confirm: true });
    expect(edge.seen.every(({ path }) => path.startsWith('/api/subscriptions/..%2Forders'))).toBe(true);
  });

  test('are for those who run the school: others neither see nor call them', async () => {
    const names = async (role: 'admin' | 'owner' | 'lecturer' | 'member') => {
      const { tools } = (await edge.modern('tools/list', {}, { token: await tokenOf(role) })).body['result'];
      return tools.map(({ name }: Said) => name).filter((name: string) => name.includes('subscription'));
    };
    const own = ['list_my_subscriptions'];
    const all = [...own, 'list_subscriptions', 'cancel_subscription'];
    expect([await names('owner'), await names('admin')]).toEqual([all, all]);
    expect([await names('lecturer'), await names('member')]).toEqual([own, own]);
    const args = { id: 'subscription_1', idempotency_key: 'key-00000001', confirm: true };
    for (const role of ['lecturer', 'member'] as const) {
      expect((await call('cancel_subscription', args, role))['isError']).toBe(true);
      expect((await call('list_subscriptions', {}, role))['isError']).toBe(true);
    }
    expect(edge.seen).toEqual([]);
  });

  test('move no money, whoever calls', async () => {
    const { tools } = (await edge.modern('tools/list', {}, { token: await tokenOf('owner') })).body['result'];
    const names = tools.map(({ name }: Said) => name).join(' ');
    expect(names).not.toMatch(/refund|charge|pay|checkout|buy|change_plan/);
  });
});
