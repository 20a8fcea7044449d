import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { found, until } from '@lyceum/testkit';
import { memberToken } from '../testing/selling.ts';
import { type SellingByStripe, startSellingByStripe } from '../testing/selling-by-stripe.ts';

let running: SellingByStripe;
beforeEach(async () => void (running = await startSellingByStripe()));
afterEach(() => running.close());

const minute = 60_000;
const day = 24 * 60 * minute;

async function plan(body: object = {}): Promise<string> {
  const { shop } = running;
  const made = await shop.call('POST', '/api/membership_plans', {
    body: { name: 'Lights', price: { amount: 3_100 }, grants: { posts: true }, ...body },
  });
  await shop.call('POST', `/api/membership_plans/${made.body.id}/publish`);
  return made.body.id;
}

const subscribe = (item_id: string, as: 'anonymous' | ReturnType<typeof memberToken> = memberToken()) =>
  running.shop.call('POST', '/api/checkout', {
    as,
    headers: { 'idempotency-key': 'subscribed' },
    body: { items: [{ item_type: 'membership_plan', item_id }] },
  });

/** The orders of a kind, once there are so many that are in a state. */
const ordersOnce = (source: string, status: string, count = 1) =>
  found(async () => {
    const { body } = await running.shop.call('GET', '/api/orders?limit=100');
    const all = body.data.filter((each: { source: string; status: string }) => each.source === source);
    return all.filter((each: { status: string }) => each.status === status).length === count ? all : undefined;
  }, `${count} of ${source} that are ${status}`);

const subscription = async (id: string) =>
  (await running.shop.call('GET', `/api/subscriptions/${id}`)).body as { status: string };

test('a trial by Stripe begins with the agreement to later charges, and is charged by it when it ends', async () => {
  const { shop, books, session, deliver, advance } = running;
  const { body } = await subscribe(await plan({ trial_days: 14 }));
  expect(body).toMatchObject({ order: { status: 'pending', total: { amount: 0 } }, payment: { state: 'open' } });
  const setup = books.agree(session());
  for (let times = 0; times < 2; times += 1) expect((await deliver()).status).toBe(200);
  await shop.orderOnce(body.id, ({ status, fulfilled_at }) => status === 'paid' && fulfilled_at !== null);
  expect((await subscription(body.order.subscription_id)).status).toBe('trialing');
  await shop.settled();
  advance(14 * day + minute);
  await ordersOnce('renewal', 'paid');
  const [charged] = [...books.intents.values()];
  expect([books.intents.size, charged]).toMatchObject([
    1,
    { amount: 3_100, status: 'succeeded', customer: setup.customer, payment_method: setup.payment_method },
  ]);
});

test('an agreement that no webhook told of is asked for', async () => {
  const { shop, books, session } = running;
  const { body } = await subscribe(await plan({ trial_days: 14 }));
  books.agree(session());
  const read = await shop.call('GET', `/api/checkout/${body.id}`, { as: memberToken() });
  expect(read.body.order.status).toBe('paid');
});

test('a dispute about a renewal is the order’s; lost, it ends the subscription', async () => {
  const { shop, books, session, deliver, advance } = running;
  const { body } = await subscribe(await plan());
  const { payment_method } = books.pay(session());
  await deliver();
  await shop.orderOnce(body.id, ({ fulfilled_at }) => fulfilled_at !== null);
  await shop.settled();
  expect(payment_method).toMatch(/^pm_/);
  advance(31 * day + minute);
  const [renewal] = await ordersOnce('renewal', 'paid');
  const charged = [...books.intents.values()].at(-1);
  const dispute = books.dispute(charged?.id ?? '');
  await deliver();
  await shop.orderOnce(renewal.id, ({ status }) => status === 'disputed');
  expect((await subscription(body.order.subscription_id)).status).toBe('active');
  books.resolve(dispute.id, 'lost');
  await deliver();
  await shop.orderOnce(renewal.id, ({ status }) => status === 'charged_back');
  await until(async () => (await subscription(body.order.subscription_id)).status === 'canceled', 'its end');
});
