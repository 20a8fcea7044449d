import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestService, catalog, give } from '../../testing/catalog.ts';
import { type McpTestServer, type Said, openMcpTestServer } from '../../testing/mcp-test-server.ts';

const shown = (code: string) => ({
  id: `coupon_${code}`,
  code,
  name: code,
  kind: 'percent',
  value: 10,
  currency: 'USD',
  applies_to: 'all',
  min_subtotal: null,
  starts_at: null,
  ends_at: null,
  duration: 'once',
  duration_cycles: null,
  max_redemptions: 5,
  per_member_limit: 1,
  redeemed: 2,
  held: 0,
});
const row = (code: string, more: object = {}) => ({
  ...shown(code),
  object: 'coupon',
  status: 'active',
  expired: false,
  exhausted: false,
  batch_id: null,
  ...more,
});

/** Coupons on three pages, of which the second one has nothing that is in force. */
const pages: Readonly<Record<string, readonly [object[], string | null]>> = {
  '': [[row('WELCOME10'), row('OVER', { expired: true })], 'second'],
  second: [[row('USED', { exhausted: true })], 'third'],
  third: [[row('LAST')], null],
};
const commerce: TestService = ({ path, querystring }) => {
  const query = new URLSearchParams(querystring);
  if (path !== '/api/coupons') return give(404, { error: 'not_found' });
  if (query.get('status') !== 'active') return give(400, { error: 'invalid_request' });
  const [data, next] = pages[query.get('cursor') ?? ''] ?? [[], null];
  return give(200, { object: 'list', data, has_more: next !== null, next_cursor: next, view: 'staff' });
};

describe('coupons among the offers', () => {
  let edge: McpTestServer;
  beforeEach(async () => void (edge = await openMcpTestServer({ catalog, commerce })));
  afterEach(() => edge.close());

  type Token = { role: 'owner' | 'admin' | 'lecturer' | 'member'; scopes: string[] };
  const offers = async (args: object, token?: Token) => {
    const options = token ? { token: await edge.school.token(token) } : {};
    const { body } = await edge.modern('tools/call', { name: 'list_offers', arguments: args }, options);
    return (body['result'] as Said)['structuredContent'];
  };
  const staff: Token = { role: 'admin', scopes: ['courses:read', 'coupons:read'] };
  const askedForCoupons = () => edge.seen.some(({ path }) => path === '/api/coupons');

  test('are those in force, behind all that is sold, for a token with coupons:read', async () => {
    const codes: string[] = [];
    let last: Said = {};
    let cursor: string | undefined;
    do {
      last = await offers(cursor === undefined ? {} : { cursor }, staff);
      codes.push(...last['coupons'].map(({ code }: Said) => code));
      expect(last['items'].length === 0 || codes.length === 0).toBe(true);
      cursor = last['next_cursor'] ?? undefined;
    } while (cursor !== undefined);
    expect(codes).toEqual(['WELCOME10', 'LAST']);
    expect(last).toMatchObject({ view: { as: 'staff', scopes_used: ['courses:read', 'coupons:read'] } });
    expect((await offers({ kind: 'coupon' }, staff))['coupons']).toEqual([shown('WELCOME10')]);
  });

  test.each<[string, Token | undefined]>([
    ['nobody', undefined],
    ['a token without the scope', { role: 'owner', scopes: ['courses:read', 'orders:read'] }],
    ['a member whose token claims it', { role: 'member', scopes: ['courses:read', 'coupons:read'] }],
    ['a lecturer whose token claims it', { role: 'lecturer', scopes: ['courses:read', 'coupons:read'] }],
  ])('are nothing for %s, who is not told that there are any', async (_, token) => {
    for (const args of [{}, { kind: 'coupon' }]) {
      let page = await offers(args, token);
      for (let count = 0; page['next_cursor'] && count < 20; count += 1)
        page = await offers({ ...args, cursor: page['next_cursor'] }, token);
      expect(page).not.toHaveProperty('coupons');
    }
    expect(askedForCoupons()).toBe(false);
  });
});
