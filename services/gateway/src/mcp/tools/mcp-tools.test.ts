import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestService, auth, catalog, courses, give, learning, school } from '../testing/catalog.ts';
import { type McpTestServer, type Said, openMcpTestServer } from '../testing/mcp-test-server.ts';

const readers = [
  'search_courses',
  'lookup_courses',
  'get_course',
  'list_offers',
  'get_quote',
  'list_events',
  'list_posts',
  'get_lecturer',
  'get_school',
  'search',
  'fetch',
  'get_my_account',
  'list_my_courses',
];

const writers = [
  'upsert_course',
  'upsert_section',
  'upsert_lesson',
  'order_curriculum',
  'publish_lesson',
  'publish_course',
];

describe('the tools of the MCP server', () => {
  let edge: McpTestServer;
  beforeEach(async () => {
    edge = await openMcpTestServer({ auth, catalog, learning, school });
  });
  afterEach(() => edge.close());

  const call = async (name: string, args: object = {}, token?: string) => {
    const { status, body } = await edge.modern('tools/call', { name, arguments: args }, token ? { token } : {});
    return { status, result: body['result'] as Said, error: body['error'] };
  };
  const data = async (name: string, args: object = {}, token?: string) =>
    (await call(name, args, token)).result['structuredContent'] as Said;

  test('without a token the readers are listed, always in one order, and for nobody else to keep', async () => {
    const { status, body } = await edge.modern('tools/list');
    const { tools, cacheScope, ttlMs, resultType } = body['result'];
    expect([status, cacheScope, resultType]).toEqual([200, 'private', 'complete']);
    expect(ttlMs).toBeGreaterThanOrEqual(0);
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(readers);
    for (const tool of tools) {
      expect(tool.annotations).toMatchObject({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputSchema).toMatchObject({ type: 'object' });
      expect(tool._meta.securitySchemes[0]).toEqual({ type: 'noauth' });
    }
  });

  test('tools that write are listed to those whose role may write, and say that they change something', async () => {
    const listed = async (role: 'lecturer' | 'member') => {
      const { body } = await edge.legacy('tools/list', {}, await edge.school.token({ role }));
      return body['result'].tools as { name: string; annotations: Record<string, boolean> }[];
    };
    expect((await listed('member')).map(({ name }) => name)).toEqual([...readers, 'list_my_subscriptions']);
    const all = await listed('lecturer');
    expect(all.map(({ name }) => name)).toEqual([
      ...readers,
      'list_my_subscriptions',
      ...writers,
      'list_students',
      'get_analytics_summary',
    ]);
    expect(all.find(({ name }) => name === 'upsert_course')?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
    });
  });

  test('search_courses pages through all courses, each once, by signed cursors', async () => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await data('search_courses', { limit: 50, ...(cursor ? { cursor } : {}) });
      found.push(...page['items'].map(({ slug }: { slug: string }) => slug));
      cursor = page['next_cursor'] ?? undefined;
    } while (cursor);
    expect(found).toEqual(courses.map(({ slug }) => slug));
  });

  test('search_courses filters by what the service does not know, and counts where it has seen all', async () => {
    const free = await data('search_courses', { free: true, level: 'advanced', limit: 50 });
    expect(free['items']).toHaveLength(13);
    expect(free).toMatchObject({ total: 13, next_cursor: null, facets: { level: { advanced: 13 } } });
    expect(free['view']).toEqual({ as: 'anonymous', scopes_used: [] });
    expect(free['items'][0]).toMatchObject({
      price: null,
      duration_min: 90,
      url: `${edge.school.issuer}/api/courses/course-9`,
    });
    const cheap = await data('search_courses', { price: { max: 1_000, currency: 'USD' }, query: 'Course 1' });
    expect(cheap['items'].every(({ price }: { price: unknown }) => price === null)).toBe(true);
  });

  test('a cursor that was changed, or is of another filter, is a tool error with a way out', async () => {
    const { next_cursor } = await data('search_courses', { limit: 5 });
    for (const args of [
      { limit: 5, cursor: `${next_cursor}x` },
      { limit: 5, cursor: next_cursor, level: 'beginner' },
    ]) {
      const { status, result } = await call('search_courses', args);
      expect([status, result['isError']]).toEqual([200, true]);
      expect(result['content'][0].text).toContain('without a cursor');
    }
    const listed = await edge.modern('tools/list', { cursor: 'nonsense' });
    expect(listed.body['error'].code).toBe(-32602);
  });

  test('MCP 2025-11-25 tools: arguments that do not fit are a tool error that says which', async () => {
    for (const args of [{ limit: 0 }, { limit: 51 }, { nonsense: 1 }, { price: { min: -1 } }]) {
      const { result } = await call('search_courses', args);
      expect(result['isError']).toBe(true);
      expect(result['content'][0].text).toContain('arguments do not fit');
    }
    expect(edge.seen).toEqual([]);
    const unknown = await call('drop_tables');
    expect(unknown.error.code).toBe(-32602);
  });

  test('lookup_courses takes ids, slugs and URLs, and names what is not there', async () => {
    const url = `${edge.school.issuer}/api/courses/course-2`;
    const ids = [
      courses[0]!.id,
      'course-1',
      url,
      'former-slug',
      'nothing-here',
      '../school',
      'https://other.example/course-1x',
    ];
    const found = await data('lookup_courses', { ids });
    expect(found['courses'].map(({ slug }: { slug: string }) => slug)).toEqual([
      'course-0',
      'course-1',
      'course-2',
      'course-1',
    ]);
    expect(found['not_found']).toEqual(['nothing-here', '../school', 'https://other.example/course-1x']);
    expect(edge.seen.every(({ url: path }) => path.startsWith('/api/courses/'))).toBe(true);
  });

  test('get_course gives the course, and empty parts of what no service has', async () => {
    const got = await data('get_course', { id: 'course-3', include: ['curriculum', 'lecturers', 'offers', 'reviews'] });
    expect(got['course']).toMatchObject({ slug: 'course-3', url: `${edge.school.issuer}/api/courses/course-3` });
    expect(got).toMatchObject({ curriculum: null, lecturers: [], reviews: [], offers: courses[3]!.prices });
    const { result } = await call('get_course', { id: 'nothing-here' });
    expect([result['isError'], result['content'][0].text]).toEqual([true, expect.stringContaining('search_courses')]);
  });

  test('search and fetch give exactly one text item with the JSON of the structured content', async () => {
    const { result } = await call('search', { query: 'Course 12' });
    expect(result['content']).toHaveLength(1);
    expect(JSON.parse(result['content'][0].text)).toEqual(result['structuredContent']);
    const [first] = result['structuredContent'].results;
    expect(Object.keys(first)).toEqual(['id', 'title', 'url']);
    const fetched = await data('fetch', { id: first.id });
    expect(Object.keys(fetched)).toEqual(['id', 'title', 'text', 'url', 'metadata']);
  });

  test('lists of services that do not exist yet are empty, with the right shape', async () => {
    for (const name of ['list_events', 'list_posts'])
      expect(await data(name)).toEqual({ items: [], next_cursor: null });
    expect(await data('list_offers', { kind: 'membership_plan' })).toEqual({
      items: [],
      next_cursor: null,
      view: { as: 'anonymous', scopes_used: [] },
    });
    const offers = await data('list_offers');
    expect(offers['items'][0]).toMatchObject({ kind: 'course', price: { amount: 4_900, currency: 'USD' } });
    expect(typeof offers['next_cursor']).toBe('string');
  });

  test('get_my_account without a token is 200 with the sign-in hint, with one it is the account', async () => {
    const { status, result } = await call('get_my_account');
    expect([status, result['isError']]).toEqual([200, true]);
    expect(result['_meta']['mcp/www_authenticate'][0]).toContain('/.well-known/oauth-protected-resource/mcp');
    expect(edge.seen).toEqual([]);
    const token = await edge.school.token({ scopes: ['account:read'] });
    expect(await data('get_my_account', {}, token)).toMatchObject({
      account: { name: 'Ada' },
      scopes: ['account:read'],
    });
  });

  test('get_quote says what things cost together, sells nothing, and where a person buys them', async () => {
    const money = (amount: number) => ({ amount, currency: 'USD' });
    const of = { item_type: 'course', item_id: 'course_1', title: 'Lanterns', quantity: 1, tax: money(0) };
    const lines = [{ ...of, unit_price: money(4_900), discount: money(490), total: money(4_410) }];
    const sums = { subtotal: money(4_900), discount_total: money(490), tax_total: money(0), total: money(4_410) };
    const asked: unknown[] = [];
    const commerce: TestService = ({ method, path, json, headers }) => {
      asked.push([method, path, json, headers['authorization'] !== undefined]);
      return asked.length === 2
        ? give(409, { error: 'coupon_invalid', error_description: 'The coupon does not count here' })
        : give(200, { object: 'quote', lines, ...sums, tax: { inclusive: false, rate_bp: 0 }, currency: 'USD' });
    };
    const shop = await openMcpTestServer({ auth, catalog, learning, school, commerce });
    try {
      const quoted = async (args: object) => {
        const { body } = await shop.modern('tools/call', { name: 'get_quote', arguments: args });
        return body['result'] as Said;
      };
      const items = [{ kind: 'course', id: 'course_1' }];
      const { structuredContent } = await quoted({ items, coupon_code: 'WELCOME10' });
      expect(structuredContent).toMatchObject({
        subtotal: 4_900,
        discount_total: 490,
        tax_total: 0,
        total: 4_410,
        currency: 'USD',
        lines: [{ kind: 'course', id: 'course_1', unit_price: 4_900, discount: 490, total: 4_410 }],
        checkout_url: `${shop.school.issuer}/checkout?item=course%3Acourse_1&coupon=WELCOME10`,
      });
      expect(asked).toEqual([
        [
          'POST',
          '/api/checkout/quotes',
          { items: [{ item_type: 'course', item_id: 'course_1' }], coupon_code: 'WELCOME10' },
          false,
        ],
      ]);
      const refused = await quoted({ items, coupon_code: 'NO' });
      expect(refused['isError']).toBe(true);
      expect(JSON.stringify(refused)).toContain('The coupon does not count here');
      expect((await quoted({ items: [] }))['isError']).toBe(true);
      expect(asked).toHaveLength(2);
    } finally {
      await shop.close();
    }
  });

  test('get_quote says of a membership what follows the first payment', async () => {
    const money = (amount: number) => ({ amount, currency: 'USD' });
    const of = { item_type: 'membership_plan', item_id: 'plan_1', title: 'Studio', quantity: 1, tax: money(0) };
    const lines = [{ ...of, unit_price: money(0), discount: money(0), total: money(0) }];
    const sums = { subtotal: money(0), discount_total: money(0), tax_total: money(0), total: money(0) };
    const terms = { kind: 'recurring', interval: 'month', interval_count: 1, trial_days: 14 };
    const { kind: plan_kind, ...others } = terms;
    const stated = { kind: 'membership_plan', id: 'plan_1', plan_kind, ...others };
    const plan = { plan_id: 'plan_1', plan_version: 2, ...terms, price: money(2_900) };
    const renewals = [
      { renewal: money(1_450), full_renewal: money(2_900) },
      { renewal: null, full_renewal: null },
    ];
    const follows = [...renewals];
    const commerce: TestService = () =>
      give(200, { object: 'quote', lines, ...sums, currency: 'USD', plan: { ...plan, ...follows.shift() } });
    const shop = await openMcpTestServer({ auth, catalog, learning, school, commerce });
    try {
      const items = [{ kind: 'membership_plan', id: 'plan_1' }];
      const said = [];
      for (const _ of renewals) {
        const { body } = await shop.modern('tools/call', { name: 'get_quote', arguments: { items } });
        said.push(body['result'].structuredContent.lines);
      }
      expect(said).toEqual([
        [expect.objectContaining({ ...stated, renewal: 1_450, full_renewal: 2_900 })],
        [expect.objectContaining({ ...stated, renewal: null, full_renewal: null })],
      ]);
    } finally {
      await shop.close();
    }
  });

  test('list_my_courses tells the person what they learn and with what they go on, page by page', async () => {
    const { result } = await call('list_my_courses');
    expect([result['isError'], edge.seen]).toEqual([true, []]);
    expect(result['_meta']['mcp/www_authenticate'][0]).toContain('scope="account:read"');
    const token = await edge.school.token({ role: 'member', scopes: ['account:read'] });
    const first = await data('list_my_courses', { limit: 1 }, token);
    expect(first['items']).toEqual([
      {
        course_id: 'course_1',
        enrollment_id: 'enrollment_1',
        title: 'Lanterns',
        state: 'active',
        expires_at: null,
        progress: { completed: 1, required: 4, percent: 25, last_activity_at: '2026-01-05T08:00:00.000Z' },
        completed_at: null,
        next_lesson: { id: 'lesson_2', title: 'Glue', type: 'video', duration_s: 300 },
      },
    ]);
    const rest = await data('list_my_courses', { limit: 1, cursor: first['next_cursor'] }, token);
    expect(rest).toMatchObject({ items: [{ enrollment_id: 'enrollment_2', next_lesson: null }], next_cursor: null });
    const other = await call('list_my_courses', { state: 'lapsed', cursor: first['next_cursor'] }, token);
    expect(other.result['isError']).toBe(true);
  });

  test('a writing tool without a token does nothing and says how to sign in', async () => {
    const { status, result } = await call('publish_course', { id: 'course-1', idempotency_key: 'key-00000001' });
    expect([status, result['isError'], edge.seen.length]).toEqual([200, true, 0]);
    expect(result['_meta']['mcp/www_authenticate'][0]).toContain('scope="courses:read courses:write"');
  });

  test('the token travels to the service with the path it was shown at, and what a client claims does not', async () => {
    const token = await edge.school.token({ audience: `${edge.school.issuer}/mcp` });
    await call('search_courses', {}, token);
    expect(edge.seen[0]!.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      'x-school-token-path': '/mcp',
      'x-school-id': edge.school.id,
      'x-client-address': '192.0.2.7',
    });
  });

  test('a service that is away is a tool error, and other tools go on', async () => {
    const alone = await openMcpTestServer({ school });
    const { body } = await alone.modern('tools/call', { name: 'search_courses', arguments: {} });
    expect(body['result']).toMatchObject({ isError: true });
    const other = await alone.modern('tools/call', { name: 'get_school', arguments: {} });
    expect(other.body['result'].structuredContent.auth).toMatchObject({
      sign_in: 'optional',
      issuer: alone.school.issuer,
    });
    await alone.close();
  });
});

describe('tools that write', () => {
  let edge: McpTestServer;
  let token: string;
  beforeEach(async () => {
    edge = await openMcpTestServer({ catalog });
    token = await edge.school.token({ scopes: ['courses:read', 'courses:write'] });
  });
  afterEach(() => edge.close());

  const change = { id: 'course-0', fields: { title: 'New title' }, idempotency_key: 'key-00000001' };
  const written = () => edge.seen.filter(({ method }) => method !== 'GET');
  const modern = (args: object, more: object = {}, as = token) =>
    edge.modern(
      'tools/call',
      { name: 'upsert_course', arguments: args, ...more },
      { token: as, capabilities: { elicitation: { form: {} } } },
    );

  test('a new course needs no confirmation and carries the idempotency key', async () => {
    const { body } = await modern({ fields: { title: 'New' }, idempotency_key: 'key-00000001' });
    expect(body['result'].structuredContent).toMatchObject({ version: 3, consistency_token: '0.7' });
    expect(written()).toEqual([expect.objectContaining({ method: 'POST', url: '/api/courses' })]);
    expect(written()[0]!.headers['idempotency-key']).toBe('"key-00000001"');
    expect((await modern({ fields: { title: 'New' } })).body['result'].isError).toBe(true);
  });

  test('MCP 2026-07-28 mrtr: a change waits for the person, and goes on with the sealed state', async () => {
    const asked = (await modern(change)).body['result'];
    expect(asked).toMatchObject({
      resultType: 'input_required',
      inputRequests: { confirm: { method: 'elicitation/create' } },
    });
    expect(written()).toEqual([]);
    const accept = { confirm: { action: 'accept', content: { confirm: true } } };
    const done = await modern(change, { requestState: asked.requestState, inputResponses: accept });
    expect(done.body['result'].structuredContent).toMatchObject({ version: 3 });
    expect(written()).toHaveLength(1);
  });

  test.each([
    ['declines', { action: 'decline' }],
    ['says no', { action: 'accept', content: { confirm: false } }],
  ])('nothing is changed when the person %s', async (_, confirm) => {
    const { requestState } = (await modern(change)).body['result'];
    const { body } = await modern(change, { requestState, inputResponses: { confirm } });
    expect(body['result'].isError).toBe(true);
    expect(written()).toEqual([]);
  });

  test('MCP 2026-07-28 mrtr: a state is good for its person and its arguments only, and never when forged', async () => {
    const { requestState } = (await modern(change)).body['result'];
    const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } };
    const other = { ...change, fields: { title: 'Another title' } };
    const again = await modern(other, { requestState, inputResponses });
    expect(again.body['result'].resultType).toBe('input_required');
    const stranger = await edge.school.token({ subject: 'acc_2', scopes: ['courses:read', 'courses:write'] });
    const theirs = await modern(change, { requestState, inputResponses }, stranger);
    expect(theirs.body['result'].resultType).toBe('input_required');
    const forged = await modern(change, { requestState: `${requestState}x`, inputResponses });
    expect(forged.body['error'].code).toBe(-32602);
    expect(written()).toEqual([]);
  });

  test('clients that cannot ask must say that the person agreed', async () => {
    const call = (args: object) => edge.legacy('tools/call', { name: 'upsert_course', arguments: args }, token);
    const first = (await call(change)).body['result'];
    expect([first.isError, first.content[0].text]).toEqual([true, expect.stringContaining('confirm: true')]);
    expect(written()).toEqual([]);
    const second = (await call({ ...change, confirm: true })).body['result'];
    expect(second.structuredContent).toMatchObject({ version: 3 });
  });
});
