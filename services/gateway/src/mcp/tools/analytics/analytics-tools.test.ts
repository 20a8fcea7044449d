import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestService, give } from '../../testing/catalog.ts';
import { type McpTestServer, type Said, openMcpTestServer } from '../../testing/mcp-test-server.ts';

const reports: Readonly<Record<string, readonly object[]>> = {
  enrollments: [
    { date: '2026-03-01', course_id: null, enrolled: 2, reactivated: 0, lapsed: 1, completed: 1, from_staff: 2 },
    { date: '2026-03-02', course_id: null, enrolled: 3, reactivated: 1, lapsed: 0, completed: 0, from_staff: 3 },
  ],
  active_students: [
    { date: '2026-03-01', course_id: null, active: 2, active_7_days: 4, active_30_days: 9 },
    { date: '2026-03-02', course_id: null, active: 1, active_7_days: 5, active_30_days: 8 },
  ],
  revenue: [
    { date: '2026-03-01', course_id: null, currency: 'EUR', orders: 1, gross: 1_000, refunds: 0, net: 1_000 },
    { date: '2026-03-01', course_id: null, currency: 'USD', orders: 0, gross: 0, refunds: 200, net: -200 },
    { date: '2026-03-02', course_id: null, currency: 'EUR', orders: 2, gross: 500, refunds: 100, net: 400 },
  ],
  subscriptions: [
    { date: '2026-03-01', currency: 'EUR', mrr: 900, active: 1, trialing: 1, started: 1, canceled: 0, lapsed: 0 },
    { date: '2026-03-02', currency: 'EUR', mrr: 1_800, active: 2, trialing: 0, started: 0, canceled: 1, lapsed: 0 },
  ],
  forms: [
    { date: '2026-03-01', form_id: null, submissions: 4, spam: 1, restored: 0, spam_bp: 2_500 },
    { date: '2026-03-02', form_id: null, submissions: 2, spam: 1, restored: 1, spam_bp: 0 },
  ],
};

/** The analytics service, as far as the tool asks it. */
const analytics: TestService = ({ path, querystring }) => {
  const name = path.split('/').at(-1)!;
  if (querystring.includes('course_gone')) return give(404, { error: 'not_found' });
  const range = { from: '2026-03-01', to: '2026-03-03', interval: 'day', timezone: 'Europe/Lisbon' };
  const heading = { object: 'report', name, ...range, as_of: '2026-03-03T08:00:00.000Z', complete: name !== 'revenue' };
  return give(200, { ...heading, data: reports[name], view: 'staff' });
};

describe('the tool for figures', () => {
  let edge: McpTestServer;
  beforeEach(async () => void (edge = await openMcpTestServer({ analytics })));
  afterEach(() => edge.close());

  const call = async (args: object, role: 'owner' | 'lecturer' | 'member') => {
    const token = await edge.school.token({ role });
    const params = { name: 'get_analytics_summary', arguments: args };
    return (await edge.modern('tools/call', params, { token })).body['result'] as Said;
  };

  test('adds up what happened and says what is there in the end, for each currency', async () => {
    const { structuredContent } = await call({ from: '2026-03-01', to: '2026-03-03' }, 'owner');
    expect(structuredContent).toEqual({
      from: '2026-03-01',
      to: '2026-03-03',
      timezone: 'Europe/Lisbon',
      complete: false,
      enrollments: [{ course_id: null, enrolled: 5, reactivated: 1, lapsed: 1, completed: 1 }],
      active_students: [{ course_id: null, active_7_days: 5, active_30_days: 8 }],
      revenue: [
        { currency: 'EUR', orders: 3, gross: 1_500, refunds: 100, net: 1_400 },
        { currency: 'USD', orders: 0, gross: 0, refunds: 200, net: -200 },
      ],
      subscriptions: [{ currency: 'EUR', started: 1, canceled: 1, lapsed: 0, mrr: 1_800, active: 2, trialing: 0 }],
      forms: [{ form_id: null, submissions: 6, spam: 2, restored: 1 }],
    });
    for (const { querystring } of edge.seen) expect(querystring).toBe('from=2026-03-01&to=2026-03-03');
  });

  test('asks for no money for a lecturer, for no subscriptions and forms of a course, and is not for members', async () => {
    const { structuredContent } = await call({}, 'lecturer');
    expect([structuredContent.complete, structuredContent.revenue]).toEqual([true, undefined]);
    expect(edge.seen.map(({ path }) => path).sort()).toEqual([
      '/api/analytics/active_students',
      '/api/analytics/enrollments',
    ]);
    const ofCourse = (await call({ course_id: 'course_1' }, 'owner')).structuredContent;
    expect([ofCourse.revenue?.length, ofCourse.subscriptions, ofCourse.forms]).toEqual([2, undefined, undefined]);
    expect((await call({ course_id: 'course_gone' }, 'owner'))['isError']).toBe(true);
    expect((await call({}, 'member'))['isError']).toBe(true);
  });
});
