import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, type Place, call, describeTopologies, patience } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { hasStatus, inForce } from '../../testing/in-force.ts';

/** What a plan opens to a subscriber, from the subscription to what lessons teach, through the real gateway. */
await describeTopologies('a subscription', ({ open, lag }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let staff: string;
  let student: string;
  let member: string;
  const api = (path: string, options: Parameters<typeof call>[1] = {}) => call(`${system.baseUrl}/api${path}`, options);
  const within = lag === 0 ? 1_000 : patience;

  beforeAll(async () => {
    ({ system, close } = await open());
    const client = await Client.register(system.baseUrl);
    const tokenOf = async (local: string, scope: string) =>
      (await client.tokens(`${local}@lantern.test`, system.password, scope)).access_token;
    const [authoring, selling] = [
      'courses:read courses:write curriculum:read curriculum:write lecturers:read',
      'membership_plans:read membership_plans:write subscriptions:read subscriptions:write',
    ];
    staff = await tokenOf('owner', `${authoring} ${selling}`);
    student = await tokenOf('student', 'account:read account:write courses:read curriculum:read');
    member = (await api('/account', { token: student })).body.sub;
  }, 400_000);
  afterAll(() => close());

  async function post(path: string, json: object = {}) {
    const made = await api(path, { token: staff, json, headers: { 'idempotency-key': randomUUID() } });
    expect([path, made.status < 300, made.body.error]).toEqual([path, true, undefined]);
    return made.body;
  }

  /** A public course of one lesson for those whose plan opens it. */
  async function courseForMembers(): Promise<string> {
    const [lecturer] = (await api('/lecturers', { token: staff })).body.data;
    const { id } = await post('/courses', { title: 'For members', access: 'members', lecturer_ids: [lecturer.id] });
    const section = await post(`/courses/${id}/sections`, { title: 'All' });
    const lesson = { section_id: section.id, title: 'First', type: 'text', release: { type: 'immediate' } };
    await post(`/courses/${id}/lessons/${(await post(`/courses/${id}/lessons`, lesson)).id}/publish`);
    await post(`/courses/${id}/publish`);
    return id;
  }

  async function isOpen(course: string): Promise<boolean> {
    const { body } = await api(`/courses/${course}/curriculum`, { token: student });
    return body.sections?.[0]?.lessons[0].locked === false;
  }

  test('opens the lessons of its plan within a second, of what is added to it, too, and closes them with its end', async () => {
    const [first, second] = [await courseForMembers(), await courseForMembers()];
    const price = { amount: 900 };
    // What there is to open, the service knows by integration events.
    const create = () =>
      api('/membership_plans', {
        token: staff,
        json: { name: `Plan ${randomUUID()}`, price, grants: { courses: [first, second] } },
        headers: { 'idempotency-key': randomUUID() },
      });
    const { body: plan } = await inForce(patience, create, hasStatus(201));
    await api(`/membership_plans/${plan.id}/grants`, {
      method: 'PUT',
      token: staff,
      json: { courses: [first] },
    });
    await post(`/membership_plans/${plan.id}/publish`);
    expect([await isOpen(first), await isOpen(second)]).toEqual([false, false]);
    const { id } = await post('/subscriptions', { member_id: member, plan_id: plan.id });
    expect(await inForce(within, () => isOpen(first), Boolean)).toBe(true);
    expect(await isOpen(second)).toBe(false);
    const set = await api(`/membership_plans/${plan.id}/grants`, {
      method: 'PUT',
      token: staff,
      json: { courses: [first, second] },
    });
    expect(set.status).toBe(200);
    expect(await inForce(within, () => isOpen(second), Boolean)).toBe(true);
    await post(`/subscriptions/${id}/cancel`, { at: 'now' });
    const both = async () => [await isOpen(first), await isOpen(second)];
    expect(await inForce(within, both, (all) => !all.includes(true))).toEqual([false, false]);
  });
});
