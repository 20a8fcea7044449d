import type { z } from 'zod';
import type { createCouponBody } from '../coupons/coupon.schema.ts';
import type { createPlanBody } from '../plans/plan.schema.ts';

/** One membership plan of the demo. */
export type DemoPlan = z.input<typeof createPlanBody> & { readonly slug: string };

/** One coupon of the demo. */
export interface DemoCoupon {
  readonly body: z.input<typeof createCouponBody>;
  /** Slugs of the plans that it is for; for everything when not given. */
  readonly plans?: readonly string[];
  readonly paused?: boolean;
}

/** What a demo school sells beside its courses and products. */
export interface DemoOffers {
  readonly currency: string;
  readonly plans: readonly DemoPlan[];
  readonly coupons: readonly DemoCoupon[];
}

/** The coupons that both schools have, of the same codes: one school's are nothing in the other. */
const coupons = (amount: number): readonly DemoCoupon[] => [
  {
    body: { code: 'WELCOME10', name: 'Welcome', kind: 'percent', value: 10, per_member_limit: 1 },
  },
  { body: { code: 'LASTSEAT', name: 'The last seat', kind: 'amount', value: amount, max_redemptions: 1 } },
  {
    body: {
      code: 'SUMMER26',
      name: 'Summer is over',
      kind: 'percent',
      value: 25,
      starts_at: '2026-06-01T00:00:00Z',
      ends_at: '2026-09-01T00:00:00Z',
    },
  },
  { body: { code: 'WINTER15', name: 'Not yet', kind: 'percent', value: 15 }, paused: true },
  {
    body: {
      code: 'FRIENDS',
      name: 'Three months at half',
      kind: 'percent',
      value: 50,
      duration: 'repeating',
      duration_cycles: 3,
    },
    plans: ['monthly'],
  },
];

/** What the demo schools sell, by slug. */
export const demoOffers: Readonly<Record<string, DemoOffers>> = {
  'lantern-craft': {
    currency: 'USD',
    plans: [
      {
        slug: 'monthly',
        name: 'Friends of the workshop',
        summary: 'Every course, month by month. Two weeks to look around.',
        benefits: ['All courses, also those to come', 'Posts for members'],
        price: { amount: 1_900 },
        trial_days: 14,
        position: 1,
        grants: { courses: 'all', posts: true },
      },
      {
        slug: 'yearly',
        name: 'A year of light',
        summary: 'Every course and every template, for a year at a time.',
        benefits: ['All courses and downloads', 'Posts for members', 'Events at a fifth less'],
        interval: 'year',
        price: { amount: 19_000 },
        position: 2,
        grants: { courses: 'all', digital_products: 'all', posts: true, event_discount_percent: 20 },
      },
      {
        slug: 'lifetime',
        name: 'Keeper of the flame',
        summary: 'Paid once, for good.',
        benefits: ['Everything, for as long as the school is'],
        kind: 'lifetime',
        price: { amount: 49_000 },
        position: 3,
        max_subscribers: 50,
        grants: { courses: 'all', digital_products: 'all', posts: true, event_discount_percent: 50 },
      },
    ],
    coupons: coupons(2_000),
  },
  'north-quay': {
    currency: 'JPY',
    plans: [
      {
        slug: 'monthly',
        name: 'Practice room',
        summary: 'Every course, month by month.',
        benefits: ['All courses'],
        price: { amount: 1_500 },
        trial_days: 14,
        position: 1,
        grants: { courses: 'all' },
      },
      {
        slug: 'yearly',
        name: 'Season ticket',
        summary: 'Every course and all sheets, for a year at a time.',
        benefits: ['All courses and downloads'],
        interval: 'year',
        price: { amount: 15_000 },
        position: 2,
        grants: { courses: 'all', digital_products: 'all' },
      },
      {
        slug: 'lifetime',
        name: 'Friend of the house',
        summary: 'Paid once, for good.',
        benefits: ['Everything, for as long as the school is'],
        kind: 'lifetime',
        price: { amount: 48_000 },
        position: 3,
        grants: { courses: 'all', digital_products: 'all' },
      },
    ],
    coupons: coupons(2_000),
  },
};
