import { demoAccountId, demoSchoolId } from '@lyceum/contracts';
import { type EventLog, execute, fold } from '@lyceum/eventlog';
import { type Decider, type DomainEvent, isRejection, uuidv5 } from '@lyceum/kernel';
import type { Slice } from '@lyceum/service';
import { newCoupon } from '../coupons/coupon.input.ts';
import { createCouponBody } from '../coupons/coupon.schema.ts';
import { couponDecider } from '../coupons/coupon.ts';
import { newPlan } from '../plans/plan.input.ts';
import { createPlanBody } from '../plans/plan.schema.ts';
import { planDecider } from '../plans/plan.ts';
import { orderDecider } from '../orders/deciding/order.ts';
import type { CommercePorts, CommerceServicePorts } from '../ports/commerce-ports.ts';
import type { CommerceSettings } from '../ports/commerce-settings.ts';
import { sell } from './demo-fates.ts';
import { type DemoCoupon, type DemoOffers, type DemoPlan, demoOffers } from './demo-offers.ts';
import { demoOrders } from './demo-orders.ts';
import { type SellingPorts, demoOrderId } from './demo-selling.ts';

interface DemoSchool {
  readonly log: EventLog;
  readonly school: string;
  readonly currency: string;
  readonly by: string;
}

/** The id of a demo plan: always the same. */
const demoPlanId = (school: string, slug: string): string => `plan_${uuidv5('demo-plan', school, slug)}`;

const began = '2026-08-22T09:00:00.000Z';

/** Runs one command of a stream, under a commit id of its own: what was done is found, and what people changed since is left alone. */
async function run<State, Command extends { readonly type: string }, Event extends DomainEvent, Code extends string>(
  { log, school }: Pick<DemoSchool, 'log' | 'school'>,
  decider: Decider<State, Command, Event, Code>,
  stream: string,
  command: NoInfer<Command>,
): Promise<void> {
  const commitId = uuidv5('demo-offer', command.type, stream);
  const about = { tenant: school, stream, command, at: began, commitId, meta: { actor: 'system' } };
  const done = await execute(log, decider, about);
  if (isRejection(done)) throw new Error(`demo, ${command.type} of ${stream}: ${done.reason}`);
}

async function seedPlan(demo: DemoSchool, body: DemoPlan): Promise<void> {
  const { school, currency, by } = demo;
  const id = demoPlanId(school, body.slug);
  const made = newPlan(createPlanBody.parse(body), currency);
  await run(demo, planDecider, id, { type: 'CreatePlan', slug: body.slug, ...made, currency, by });
  await run(demo, planDecider, id, { type: 'PublishPlan', currency });
}

async function seedCoupon(demo: DemoSchool, { body, plans, paused = false }: DemoCoupon): Promise<void> {
  const { school, currency, by } = demo;
  const id = `coupon_${uuidv5('demo-coupon', school, body.code)}`;
  const of = plans?.map((slug) => ({ item_type: 'membership_plan' as const, item_id: demoPlanId(school, slug) }));
  const stated = createCouponBody.parse({ ...body, ...(of ? { applies_to: of } : {}) });
  const { code } = stated;
  await run(demo, couponDecider, id, { type: 'CreateCoupon', code, fields: newCoupon(stated), currency, by });
  if (paused) await run(demo, couponDecider, id, { type: 'PauseCoupon' });
}

async function seedOffers(
  { log }: SellingPorts,
  slug: string,
  { currency, plans, coupons }: DemoOffers,
): Promise<void> {
  const school = demoSchoolId(slug);
  const demo: DemoSchool = { log, school, currency, by: demoAccountId(school, 'owner') };
  for (const plan of plans) await seedPlan(demo, plan);
  for (const coupon of coupons) await seedCoupon(demo, coupon);
}

/** Writes the orders of a school, one after the other: each has the number after the one before. */
async function seedOrders(ports: SellingPorts, slug: string, { currency }: DemoOffers): Promise<void> {
  const school = demoSchoolId(slug);
  const orders = demoOrders[slug] ?? [];
  const last = orders.at(-1);
  // Where the last one is, those before it are complete.
  const isThere = last && (await fold(ports.log, orderDecider, school, demoOrderId(school, last))).state !== null;
  for (const order of isThere ? [last] : orders) await sell(ports, { school, currency }, order);
}

const inEach = (work: (slug: string, offers: DemoOffers) => Promise<void>): Promise<unknown> =>
  Promise.all(Object.entries(demoOffers).map(([slug, offers]) => work(slug, offers)));

/** Writes what the demo schools sell and what was bought there, by the commands that clients use. Idempotent. */
export async function seedCommerce(ports: SellingPorts): Promise<void> {
  await inEach((slug, offers) => seedOffers(ports, slug, offers));
  await inEach((slug, offers) => seedOrders(ports, slug, offers));
}

/** As `seedCommerce`; where services are apart, no start waits for orders, and the next one goes on with them. */
async function seedDemo(ports: CommercePorts): Promise<void> {
  if (!ports.leases) return seedCommerce(ports);
  await inEach((slug, offers) => seedOffers(ports, slug, offers));
  void inEach((slug, offers) => seedOrders(ports, slug, offers)).catch((err: unknown) =>
    ports.logger.warn({ err }, 'what was bought in the demo schools is written at the next start'),
  );
}

/** The part of the demo schools that this service keeps. */
export const demoSlice: Slice<CommerceSettings, CommerceServicePorts> = {
  name: 'demo',
  operations: [],
  seedDemo: (_demo, ports) => seedDemo(ports),
};
