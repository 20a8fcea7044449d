import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, type Place, call, describeTopologiesIfLong, patience } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { hasStatus, inForce } from '../../testing/in-force.ts';
import { takePayment } from '../../testing/selling/sales-operator.ts';

/** What orders and lessons do to the figures, through the real gateway. Others share the system, so figures are compared. */
await describeTopologiesIfLong('the figures', ({ open }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let staff: string;
  let student: string;
  const api = (path: string, options: Parameters<typeof call>[1] = {}) => call(`${system.baseUrl}/api${path}`, options);

  beforeAll(async () => {
    ({ system, close } = await open());
    const client = await Client.register(system.baseUrl);
    const tokenOf = async (local: string, scope: string) =>
      (await client.tokens(`${local}@lantern.test`, system.password, scope)).access_token;
    const authoring = 'courses:read courses:write curriculum:read curriculum:write lecturers:read';
    staff = await tokenOf('owner', `${authoring} analytics:read orders:read coupons:read coupons:write`);
    student = await tokenOf('student', 'account:read account:write courses:read curriculum:read');
  }, 400_000);
  afterAll(() => close());

  async function post(path: string, json: object = {}, token = staff) {
    const made = await api(path, { token, json, headers: { 'idempotency-key': randomUUID() } });
    expect([path, made.status < 300, made.body.error]).toEqual([path, true, undefined]);
    return made.body;
  }

  /** A public course of two lessons. */
  async function courseOf(more: object): Promise<{ id: string; lessons: string[] }> {
    const [lecturer] = (await api('/lecturers', { token: staff })).body.data;
    const { id } = await post('/courses', { title: 'Counted', lecturer_ids: [lecturer.id], ...more });
    const section = await post(`/courses/${id}/sections`, { title: 'All' });
    const lessons: string[] = [];
    for (const title of ['First', 'Second']) {
      const lesson = { section_id: section.id, title, type: 'text', release: { type: 'immediate' } };
      const made = await post(`/courses/${id}/lessons`, lesson);
      await post(`/courses/${id}/lessons/${made.id}/publish`);
      lessons.push(made.id);
    }
    await post(`/courses/${id}/publish`);
    return { id, lessons };
  }

  const reportOf = async (name: string, course: string) =>
    (await api(`/analytics/${name}?course_id=${course}`, { token: staff })).body;
  /** A column of a report of the last thirty days, added up. */
  const sumOf = (body: { data?: Record<string, number>[] }, column: string): number =>
    (body.data ?? []).reduce((sum, row) => sum + (row[column] ?? 0), 0);

  test('count lessons that were learnt', async () => {
    const { id, lessons } = await courseOf({ access: 'free' });
    const enroll = () => api('/account/enrollments', { token: student, json: { course_id: id } });
    const { body: enrollment } = await inForce(patience, enroll, hasStatus(201));
    for (const [lesson, state] of [
      [0, 'started'],
      [0, 'completed'],
      [1, 'completed'],
    ] as const) {
      const path = `/account/enrollments/${enrollment.id}/lessons/${lessons[lesson]}`;
      await inForce(patience, () => api(path, { method: 'PUT', token: student, json: { state } }), hasStatus(200));
    }
    const seen = await inForce(
      patience,
      () => reportOf('enrollments', id),
      (body) => sumOf(body, 'completed') === 1,
    );
    // Members of the demo have a plan that opens every course.
    const enrolled = sumOf(seen, 'enrolled') - sumOf(seen, 'from_subscriptions');
    expect([enrolled, sumOf(seen, 'from_free'), sumOf(seen, 'completed')]).toEqual([1, 1, 1]);
    expect(sumOf(await reportOf('active_students', id), 'active')).toBe(1);
    const [cohort] = (await api(`/analytics/funnel?course_id=${id}`, { token: staff })).body.data.slice(-1);
    expect(cohort).toMatchObject({ started: 1, reached_50: 1, completed: 1, lapsed: 0 });
  });

  const buy = (id: string, more: object = {}) => {
    const json = { items: [{ item_type: 'course', item_id: id }], ...more };
    const once = () => api('/checkout', { token: student, json, headers: { 'idempotency-key': randomUUID() } });
    return inForce(patience, once, hasStatus(201));
  };

  test('are what orders say: what a coupon took off', async () => {
    const { id } = await courseOf({ access: 'paid', prices: [{ amount: 2_500, currency: 'USD' }] });
    const code = `GIFT${randomUUID().slice(0, 8)}`.toUpperCase();
    const coupon = await post('/coupons', { code, kind: 'percent', value: 100 });
    await buy(id, { coupon_code: code });
    const report = async () => (await api(`/analytics/coupons?coupon_id=${coupon.id}`, { token: staff })).body;
    const seen = await inForce(patience, report, (body) => sumOf(body, 'redemptions') === 1);
    expect([sumOf(seen, 'discount'), sumOf(seen, 'gross')]).toEqual([2_500, 0]);
    expect(Date.parse(seen.as_of)).toBeGreaterThan(Date.now() - 60_000);
  });

  test('are what orders say: their totals without the tax, once they are paid', async () => {
    const { id } = await courseOf({ access: 'paid', prices: [{ amount: 2_500, currency: 'USD' }] });
    const { body: bought } = await buy(id);
    const paid = await takePayment(system, bought.order.id);
    expect(paid.status).toBeLessThan(300);
    const report = () => reportOf('revenue', id);
    const seen = await inForce(patience, report, (body) => sumOf(body, 'orders') === 1);
    const { body: order } = await api(`/orders/${bought.order.id}`, { token: staff });
    expect(sumOf(seen, 'gross')).toBe(order.total.amount - order.tax_total.amount);
    expect([sumOf(seen, 'placed'), seen.complete]).toEqual([1, false]);
  });
});
