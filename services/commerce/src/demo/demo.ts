import { demoAccountId, demoSchoolId } from '@lyceum/contracts';
import { type EventLog, execute } from '@lyceum/eventlog';
import { type Decider, type DomainEvent, isRejection, uuidv5 } from '@lyceum/kernel';
import type { Slice } from '@lyceum/service';
import { newCoupon } from '../coupons/coupon.input.ts';
import { createCouponBody } from '../coupons/coupon.schema.ts';
import { couponDecider } from '../coupons/coupon.ts';
import { newPlan } from '../plans/plan.input.ts';
import { createPlanBody } from '../plans/plan.schema.ts';
import { planDecider } from '../plans/plan.ts';
import { type DemoCoupon, type DemoPlan, demoOffers } from './demo-offers.ts';

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

/** Writes the plans and coupons of the demo schools, by the commands that clients use. Idempotent. */
export async function seedOffers({ log }: Pick<DemoSchool, 'log'>): Promise<void> {
  for (const [slug, { currency, plans, coupons }] of Object.entries(demoOffers)) {
    const school = demoSchoolId(slug);
    const demo: DemoSchool = { log, school, currency, by: demoAccountId(school, 'owner') };
    for (const plan of plans) await seedPlan(demo, plan);
    for (const coupon of coupons) await seedCoupon(demo, coupon);
  }
}

/** The part of the demo schools that this service keeps. */
export const demoSlice: Slice = { name: 'demo', operations: [], seedDemo: (_demo, ports) => seedOffers(ports) };
