import { demoAccountId, demoPlanId, demoSchoolId } from '@lyceum/contracts';
import { type EventLog, execute, fold, inOneWrite, laneCopy } from '@lyceum/eventlog';
import { type Decider, type DomainEvent, isRejection, uuidv5 } from '@lyceum/kernel';
import type { Slice } from '@lyceum/service';
import { newCoupon } from '../coupons/coupon.input.ts';
import { createCouponBody } from '../coupons/coupon.schema.ts';
import { couponDecider } from '../coupons/coupon.ts';
import { newPlan } from '../plans/plan.input.ts';
import { createPlanBody } from '../plans/plan.schema.ts';
import { planDecider } from '../plans/plan.ts';
import { orderDecider } from '../orders/deciding/order.ts';
import { subscriptionDecider } from '../subscriptions/subscription.ts';
import { SchoolTurns } from '../ordering/school-turns.ts';
import type { CommercePorts, CommerceServicePorts } from '../ports/commerce-ports.ts';
import type { CommerceSettings } from '../ports/commerce-settings.ts';
import { sell } from './demo-fates.ts';
import { issueInvoicesAsThen } from './demo-invoices.ts';
import { type DemoCoupon, type DemoOffers, type DemoPlan, demoOffers } from './demo-offers.ts';
import { demoOrders } from './demo-orders.ts';
import { DemoRefused, isRefusal } from './demo-refusal.ts';
import { type SellingPorts, demoOrderId } from './demo-selling.ts';
import { demoSubscriptionId, subscribe } from './demo-subscribing.ts';
import { demoSubscriptions } from './demo-subscriptions.ts';

interface DemoSchool {
  readonly log: EventLog;
  readonly school: string;
  readonly currency: string;
  readonly by: string;
}

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
  if (isRejection(done)) throw new DemoRefused(`${command.type} of ${stream}: ${done.reason}`);
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
  // They share commits: a start waits for them.
  await Promise.all([
    ...plans.map((plan) => seedPlan(demo, plan)),
    ...coupons.map((coupon) => seedCoupon(demo, coupon)),
  ]);
}

/** Writes the orders of a school, one after the other: each has the number after the one before. */
async function seedOrders(ports: CommercePorts, slug: string, { currency }: DemoOffers): Promise<void> {
  const school = demoSchoolId(slug);
  const orders = demoOrders[slug] ?? [];
  const last = orders.at(-1);
  // Where the last one is, those before it are complete.
  const isThere = last && (await fold(ports.log, orderDecider, school, demoOrderId(school, last))).state !== null;
  for (const order of isThere ? [last] : orders)
    await together(ports, school, async (staged) => {
      await sell(staged, { school, currency }, order);
      await issueInvoicesAsThen(staged, school, demoOrderId(school, order));
    });
}

/** Writes the subscriptions of a school that are not there yet. What has become of the others since is left alone. */
async function seedSubscriptions(ports: CommercePorts, slug: string): Promise<void> {
  const school = demoSchoolId(slug);
  const today = ports.clock.now();
  for (const demo of demoSubscriptions[slug] ?? []) {
    const { state } = await fold(ports.log, subscriptionDecider, school, demoSubscriptionId(school, demo));
    if (!state) await together(ports, school, (staged) => subscribe(staged, school, demo, today));
  }
}

/**
 * Writes what becomes of an order together, when it is the school's turn: people buy meanwhile. Between two of them the
 * requests of people are answered. What is not possible any more, as somebody has taken the last seat, is left out.
 */
async function together(
  ports: CommercePorts,
  school: string,
  work: (staged: CommercePorts) => Promise<void>,
): Promise<void> {
  const turns = new SchoolTurns();
  try {
    await ports.turns.take(school, () => inOneWrite(ports.log, (log) => work({ ...ports, log, turns })));
  } catch (err) {
    if (!isRefusal(err)) throw err;
    ports.logger.debug({ err }, 'something of the demo is left out');
  }
}

const inEach = (work: (slug: string, offers: DemoOffers) => Promise<void>): Promise<unknown> =>
  Promise.all(Object.entries(demoOffers).map(([slug, offers]) => work(slug, offers)));

/** The part of the demo schools that this service keeps, written by the commands that clients use. */
export const demoSlice: Slice<CommerceSettings, CommerceServicePorts> = {
  name: 'demo',
  operations: [],
  seedDemo: async (_demo, ports) => void (await inEach((slug, offers) => seedOffers(ports, slug, offers))),
  async seedDemoHistory(_demo, ports) {
    await inEach(async (slug, offers) => {
      const log = await laneCopy(ports.log, demoSchoolId(slug));
      await seedOrders({ ...ports, log }, slug, offers);
      await seedSubscriptions({ ...ports, log }, slug);
    });
  },
};
