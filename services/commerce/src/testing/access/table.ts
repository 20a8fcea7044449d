import { type Selling, itemIds } from '../selling.ts';
import { type Caller, isGuest } from './callers.ts';

/** What a test has made before, for paths: things of the buyer and of the school. */
export interface Things {
  readonly guestOrder: string;
  readonly memberOrder: string;
  readonly coupon: string;
  readonly batch: string;
  readonly plan: string;
  readonly draft: string;
  /** Of what the buyer paid. */
  readonly invoice: string;
  /** The path at which whoever has it reads that invoice. */
  readonly invoicePage: string;
}

/** What is asked for: `shop` makes what one request uses up. */
type Body = (caller: Caller, shop: Selling) => object;

/** A row: an operation, what it is asked for, and the status for each caller. */
export interface Row {
  /** As the description of the service has it. */
  readonly operation: string;
  /** Where an operation has several rows. */
  readonly of?: string;
  readonly path: (things: Things, shop: Selling) => string | Promise<string>;
  readonly body?: Body;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * In the order of the callers: the status, and of a read with `-` behind it an answer that has nothing of what was
   * made before, e.g. an empty list.
   */
  readonly statuses: string;
}

let made = 0;
const next = (): number => (made += 1);

/** What owners and admins may write, and nobody else. */
const headsWrite = (status: number, missing = 404) => `403 403 403 403 403 403 ${status} ${status} ${missing}`;
/** What owners and admins read of one thing. */
const headsRead = '404 404 404 403 403 403 200 200 404';
const headsList = '200- 200- 200- 403 403 403 200 200 200-';

const freshCoupon = async (_: Things, shop: Selling): Promise<string> =>
  (await shop.call('POST', '/api/coupons', { body: couponBody() })).body.id;
const couponBody = () => ({ code: `MATRIX${next()}`, kind: 'percent', value: 10 });
const paused = async (things: Things, shop: Selling): Promise<string> => {
  const id = await freshCoupon(things, shop);
  await shop.call('POST', `/api/coupons/${id}/pause`);
  return id;
};
const planBody = () => ({ name: `Plan ${next()}`, price: { amount: 500 }, grants: { posts: true } });
const freshPlan = async (_: Things, shop: Selling): Promise<string> =>
  (await shop.call('POST', '/api/membership_plans', { body: planBody() })).body.id;
const publicPlan = async (things: Things, shop: Selling): Promise<string> => {
  const id = await freshPlan(things, shop);
  await shop.call('POST', `/api/membership_plans/${id}/publish`);
  return id;
};
const failedOrder =
  (as: 'guest' | 'member') =>
  async ({ guestOrder, memberOrder }: Things, shop: Selling): Promise<string> => {
    const id = as === 'guest' ? guestOrder : memberOrder;
    await shop.drive(id, 'fail');
    return `/api/checkout/${id}/payments`;
  };

const items = [{ item_type: 'course', item_id: itemIds.lamps }];
const coupon =
  (below: string, of: (things: Things, shop: Selling) => Promise<string>) => async (things: Things, shop: Selling) =>
    `/api/coupons/${await of(things, shop)}${below}`;
const plan =
  (below: string, of: (things: Things, shop: Selling) => Promise<string>) => async (things: Things, shop: Selling) =>
    `/api/membership_plans/${await of(things, shop)}${below}`;

/** Orders, and how people buy. */
const selling: readonly Row[] = [
  { operation: 'GET /api/orders', path: () => '/api/orders', statuses: headsList },
  {
    operation: 'GET /api/orders/{order}',
    path: ({ memberOrder }) => `/api/orders/${memberOrder}`,
    statuses: headsRead,
  },
  {
    operation: 'GET /api/orders/{order}',
    of: 'a guest',
    path: ({ guestOrder }) => `/api/orders/${guestOrder}`,
    statuses: headsRead,
  },
  {
    operation: 'GET /api/account/orders',
    path: () => '/api/account/orders',
    statuses: '403 403 403 200- 200 200- 200- 200- 200-',
  },
  {
    operation: 'POST /api/checkout',
    path: () => '/api/checkout',
    headers: { 'idempotency-key': 'matrix' },
    body: (caller) => ({ items, ...(isGuest(caller) ? { email: `guest-${next()}@example.org` } : {}) }),
    statuses: '201 201 201 201 201 201 201 201 201',
  },
  {
    operation: 'GET /api/checkout/{order}',
    of: 'a guest',
    path: ({ guestOrder }) => `/api/checkout/${guestOrder}`,
    statuses: '404 200 404 404 404 404 404 404 404',
  },
  {
    operation: 'GET /api/checkout/{order}',
    of: 'a member',
    path: ({ memberOrder }) => `/api/checkout/${memberOrder}`,
    statuses: '404 404 404 404 200 404 404 404 404',
  },
  {
    operation: 'POST /api/checkout/{order}/payments',
    of: 'a guest',
    path: failedOrder('guest'),
    statuses: '404 201 404 404 404 404 404 404 404',
  },
  {
    operation: 'POST /api/checkout/{order}/payments',
    of: 'a member',
    path: failedOrder('member'),
    statuses: '404 404 404 404 201 404 404 404 404',
  },
  {
    operation: 'POST /api/checkout/quotes',
    path: () => '/api/checkout/quotes',
    body: () => ({ items }),
    statuses: '200 200 200 200 200 200 200 200 200',
  },
];

const coupons: readonly Row[] = [
  { operation: 'GET /api/coupons', path: () => '/api/coupons', statuses: headsList },
  { operation: 'POST /api/coupons', path: () => '/api/coupons', body: couponBody, statuses: headsWrite(201, 201) },
  { operation: 'GET /api/coupons/{coupon}', path: (of) => `/api/coupons/${of.coupon}`, statuses: headsRead },
  {
    operation: 'PATCH /api/coupons/{coupon}',
    path: (of) => `/api/coupons/${of.coupon}`,
    body: () => ({ name: `Name ${next()}` }),
    statuses: headsWrite(200),
  },
  { operation: 'DELETE /api/coupons/{coupon}', path: coupon('', freshCoupon), statuses: headsWrite(204) },
  { operation: 'POST /api/coupons/{coupon}/pause', path: coupon('/pause', freshCoupon), statuses: headsWrite(200) },
  { operation: 'POST /api/coupons/{coupon}/activate', path: coupon('/activate', paused), statuses: headsWrite(200) },
  { operation: 'POST /api/coupons/{coupon}/archive', path: coupon('/archive', freshCoupon), statuses: headsWrite(200) },
  {
    operation: 'GET /api/coupons/{coupon}/redemptions',
    path: (of) => `/api/coupons/${of.coupon}/redemptions`,
    statuses: '404 404 404 403 403 403 200- 200- 404',
  },
  {
    operation: 'POST /api/coupons/batches',
    path: () => '/api/coupons/batches',
    body: () => ({ count: 1, kind: 'percent', value: 5 }),
    statuses: headsWrite(202, 202),
  },
  { operation: 'GET /api/coupon_batches', path: () => '/api/coupon_batches', statuses: headsList },
  {
    operation: 'GET /api/coupon_batches/{batch}',
    path: (of) => `/api/coupon_batches/${of.batch}`,
    statuses: headsRead,
  },
];

const plans: readonly Row[] = [
  {
    operation: 'GET /api/membership_plans',
    path: () => '/api/membership_plans',
    statuses: '200 200 200 200 200 200 200 200 200-',
  },
  {
    operation: 'POST /api/membership_plans',
    path: () => '/api/membership_plans',
    body: planBody,
    statuses: headsWrite(201, 201),
  },
  {
    operation: 'GET /api/membership_plans/{plan}',
    path: (of) => `/api/membership_plans/${of.plan}`,
    statuses: '200 200 200 200 200 200 200 200 404',
  },
  {
    operation: 'GET /api/membership_plans/{plan}',
    of: 'a draft',
    path: (of) => `/api/membership_plans/${of.draft}`,
    statuses: '404 404 404 404 404 404 200 200 404',
  },
  {
    operation: 'PATCH /api/membership_plans/{plan}',
    path: (of) => `/api/membership_plans/${of.plan}`,
    body: () => ({ summary: `Summary ${next()}` }),
    statuses: headsWrite(200),
  },
  {
    operation: 'POST /api/membership_plans/{plan}/versions',
    path: plan('/versions', publicPlan),
    body: () => ({ price: { amount: 700 } }),
    statuses: headsWrite(200),
  },
  {
    operation: 'PUT /api/membership_plans/{plan}/grants',
    path: plan('/grants', freshPlan),
    body: () => ({ courses: 'all' }),
    statuses: headsWrite(200),
  },
  { operation: 'DELETE /api/membership_plans/{plan}', path: plan('', freshPlan), statuses: headsWrite(204) },
  {
    operation: 'POST /api/membership_plans/{plan}/publish',
    path: plan('/publish', freshPlan),
    statuses: headsWrite(200),
  },
  {
    operation: 'POST /api/membership_plans/{plan}/retire',
    path: plan('/retire', publicPlan),
    statuses: headsWrite(200),
  },
];

const invoices: readonly Row[] = [
  { operation: 'GET /api/invoices', path: () => '/api/invoices', statuses: headsList },
  { operation: 'GET /api/invoices/{invoice}', path: (of) => `/api/invoices/${of.invoice}`, statuses: headsRead },
  {
    operation: 'GET /api/account/invoices',
    path: () => '/api/account/invoices',
    statuses: '403 403 403 200- 200 200- 200- 200- 200-',
  },
  {
    operation: 'GET /invoices/{code}',
    path: (of) => of.invoicePage,
    // The address is the secret; at another school it is none.
    statuses: '200 200 200 200 200 200 200 200 404',
  },
];

/** Every operation of the service that clients are told of, and who may do it. */
export const table: readonly Row[] = [...selling, ...coupons, ...plans, ...invoices];

/** Operations with a table of their own, which has callers of their own: subscription.access.test.ts. */
export const ofSubscriptions: readonly string[] = [
  'GET /api/subscriptions',
  'GET /api/subscriptions/{subscription}',
  'POST /api/subscriptions',
  'POST /api/subscriptions/{subscription}/cancel',
  'POST /api/subscriptions/{subscription}/resume',
  'POST /api/subscriptions/{subscription}/pause',
  'POST /api/subscriptions/{subscription}/extend',
  'POST /api/subscriptions/{subscription}/change-plan',
  'POST /api/subscriptions/{subscription}/change-plan/quotes',
  'GET /api/account/subscriptions',
  'GET /api/account/subscriptions/{subscription}',
  'POST /api/account/subscriptions/{subscription}/cancel',
  'POST /api/account/subscriptions/{subscription}/resume',
];

/** Every operation of operators: nobody else reaches one. */
export const ofOperators: readonly string[] = [
  'POST /internal/payments/test/{payment}/{action}',
  'POST /internal/payments/manual/{payment}/capture',
  'POST /internal/orders',
  'POST /internal/orders/{order}/refunds',
  'POST /internal/orders/{order}/refunds/{refund}/confirm',
  'POST /internal/orders/{order}/cancel',
  'POST /internal/orders/{order}/notices/dismiss',
  'POST /internal/payments/unclaimed/dismiss',
];
