import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestService, give } from '../../testing/catalog.ts';
import { type McpTestServer, type Said, openMcpTestServer } from '../../testing/mcp-test-server.ts';

const usd = (amount: number) => ({ amount, currency: 'USD' });
const line = { item_type: 'course', item_id: 'course_1', title: 'Lanterns', total: usd(4_900) };
const shown = {
  id: 'order_1',
  number: 7,
  status: 'partially_refunded',
  source: 'checkout',
  total: usd(4_900),
  coupon_code: 'WELCOME10',
  subscription_id: null,
  placed_at: '2026-01-05T08:00:00.000Z',
  paid_at: '2026-01-05T08:01:00.000Z',
};
/** As the commerce service describes an order. */
const whole = {
  ...shown,
  object: 'order',
  lines: [{ ...line, id: 'order_1.1', quantity: 1, unit_price: usd(5_000), discount: usd(100), revoked: false }],
  buyer: { member_id: 'account_1', email: 'ada@example.org', name: 'Ada' },
  payments: [{ id: 'payment_1.1', provider: 'stripe', state: 'captured', amount: usd(4_900) }],
  refunds: [
    { id: 'r1', state: 'done', amount: usd(300), reason: 'asked' },
    { id: 'r2', state: 'done', amount: usd(200), reason: 'asked' },
    { id: 'r3', state: 'failed', amount: usd(900), reason: 'asked' },
  ],
  refused: [],
  view: 'staff',
};

const commerce: TestService = ({ querystring }) => {
  const isLast = querystring.includes('cursor=');
  return give(200, { object: 'list', data: [whole], has_more: !isLast, next_cursor: isLast ? null : 'more' });
};

describe('the tool about orders', () => {
  let edge: McpTestServer;
  beforeEach(async () => void (edge = await openMcpTestServer({ commerce })));
  afterEach(() => edge.close());

  const tokenOf = (role: 'owner' | 'admin' | 'lecturer' | 'member', scopes?: string[]) =>
    edge.school.token({ role, ...(scopes ? { scopes } : {}) });
  const ask = async (args: object, token: string) =>
    edge.modern('tools/call', { name: 'list_orders', arguments: args }, { token });
  const call = async (args: object, role: Parameters<typeof tokenOf>[0] = 'admin') =>
    (await ask(args, await tokenOf(role))).body['result'] as Said;

  test('lists what was bought, filtered and page by page, with nobody’s name, address or payment', async () => {
    const filters = {
      status: 'partially_refunded',
      member_id: 'account_1',
      item_id: 'course_1',
      coupon: 'welcome10',
      placed_after: '2026-01-01T00:00:00Z',
      limit: 5,
    };
    const first = (await call(filters))['structuredContent'];
    expect(first.items).toEqual([{ ...shown, member_id: 'account_1', lines: [line], refunded: usd(500) }]);
    const rest = (await call({ ...filters, cursor: first.next_cursor }))['structuredContent'];
    expect(rest.next_cursor).toBeNull();
    const [one, two] = edge.seen.map(({ querystring }) => Object.fromEntries(new URLSearchParams(querystring)));
    expect(one).toEqual({ ...filters, limit: '5' });
    expect(two).toEqual({ ...one, cursor: 'more' });
    // A cursor is good with its filters, and at its tool.
    expect((await call({ cursor: first.next_cursor }))['isError']).toBe(true);
    const other = { name: 'list_subscriptions', arguments: { ...filters, cursor: first.next_cursor } };
    expect((await edge.modern('tools/call', other, { token: await tokenOf('admin') })).body['result'].isError).toBe(
      true,
    );
  });

  test('asks a token for orders:read, and says so', async () => {
    const { status, headers } = await ask({}, await tokenOf('admin', ['courses:read']));
    expect([status, headers.get('www-authenticate')]).toEqual([403, expect.stringContaining('orders:read')]);
    expect(edge.seen).toEqual([]);
  });

  test('is for those who run the school: others neither see nor call it, and changes nothing', async () => {
    const listed = async (role: Parameters<typeof tokenOf>[0]) => {
      const { tools } = (await edge.modern('tools/list', {}, { token: await tokenOf(role) })).body['result'];
      return tools.find(({ name }: Said) => name === 'list_orders');
    };
    for (const role of ['owner', 'admin'] as const)
      expect(await listed(role)).toMatchObject({
        annotations: { readOnlyHint: true, destructiveHint: false },
        outputSchema: { type: 'object', required: ['items', 'next_cursor'] },
      });
    for (const role of ['lecturer', 'member'] as const) {
      expect(await listed(role)).toBeUndefined();
      expect((await call({}, role))['isError']).toBe(true);
    }
    expect(edge.seen).toEqual([]);
  });
});
