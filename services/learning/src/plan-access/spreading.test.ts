import { expect, test } from '@jest/globals';
import { type Documents, memoryDocuments } from '@lyceum/documents';
import { fold, memoryEventLog } from '@lyceum/eventlog';
import { enrollmentDecider, enrollmentStream } from '../enrollments/enrollment.ts';
import { memberProjection } from '../members/known-members.ts';
import { planAccessProjection } from './plan-access.rows.ts';
import { publicItemsProjection } from './public-items.ts';
import type { PlanAccessPorts } from './settling.ts';
import { type Spreading, spread } from './spreading.ts';

const school = 'school_1';
const at = '2026-01-05T08:00:00.000Z';
const holders = 400;
const idOf = (number: number): string => String(number).padStart(4, '0');

/** A plan that opens a course, and so many who have it already, who were given nothing yet. */
async function started(): Promise<PlanAccessPorts & { readonly documents: Documents }> {
  const [log, documents] = [memoryEventLog({ lanes: 1 }), memoryDocuments()];
  for (const { collection } of [planAccessProjection, publicItemsProjection, memberProjection])
    await documents.open(collection);
  const take = async (projection: typeof planAccessProjection, position: number, type: string, data: object) => {
    const event = { tenant: school, stream: 's', type, schema: 1, version: 1, at, position, data };
    const id = projection.key(event);
    if (id === undefined) throw new Error(`${type} is of no use here`);
    const body = projection.project(event, undefined);
    await documents.apply(projection.collection, 'test', 0, 0, 0, [{ tenant: school, id, body }]);
  };
  const grants = { courses: ['course_1'], digital_products: [], posts: false, event_discount_percent: 0 };
  await take(planAccessProjection, 1, 'PlanGrantsChanged', { plan_id: 'plan_1', grants, keep_existing: false });
  await take(publicItemsProjection, 1, 'CourseShown', { course_id: 'course_1' });
  for (let number = 0; number < holders; number += 1)
    await take(planAccessProjection, number + 2, 'SubscriptionStarted', {
      subscription_id: `subscription_${idOf(number)}`,
      member_id: `account_${idOf(number)}`,
      plan_id: 'plan_1',
      access: 1,
    });
  return { log, documents, clock: { now: () => Date.parse(at) } };
}

const items = [{ item_type: 'course', item_id: 'course_1' }] as const;

/** The same change of a plan, whether its items are named or it is about all. */
const spreading = (named: boolean): Spreading => ({
  school,
  plan_id: 'plan_1',
  change: 'plan_1@1',
  items: named ? items : undefined,
});

test.each([true, false])('goes on behind the last batch that was done, and each is done once (%s)', async (named) => {
  const { log, documents, clock } = await started();
  const closing = new AbortController();
  const read: string[] = [];
  const counting: Documents = {
    ...documents,
    open: (...asked) => documents.open(...asked),
    apply: (...asked) => documents.apply(...asked),
    query: (...asked) => documents.query(...asked),
    get(collection, tenant, id) {
      if (id.startsWith('subscription_')) read.push(id);
      if (new Set(read).size > holders / 2) closing.abort();
      return documents.get(collection, tenant, id);
    },
  };
  const ports = { log, documents: counting, clock };
  await expect(spread(ports, spreading(named), closing.signal)).rejects.toThrow();
  const before = new Set(read);
  expect(before.size).toBeLessThan(holders);
  read.length = 0;
  await spread(ports, spreading(named), new AbortController().signal);
  expect(new Set([...before, ...read]).size).toBe(holders);
  expect(new Set(read).size).toBeLessThanOrEqual(holders - Math.floor(before.size / 64) * 64);
  for (let number = 0; number < holders; number += 1) {
    const stream = enrollmentStream(`account_${idOf(number)}`, 'course_1');
    const { state, version } = await fold(log, enrollmentDecider, school, stream);
    expect([number, state?.active, version]).toEqual([number, true, 2]);
  }
  // The same change once more begins anew, and writes nothing.
  const head = await log.head(log.laneOf(school));
  await spread(ports, spreading(named), new AbortController().signal);
  expect(await log.head(log.laneOf(school))).toBe(head);
});
