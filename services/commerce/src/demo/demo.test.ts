import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoAccountId, demoSchoolId } from '@lyceum/contracts';
import { type EventLog, fold } from '@lyceum/eventlog';
import { type ServiceUnderTest, serviceUnderTest } from '@lyceum/testkit-service';
import { capacityDecider, capacityStream, takenSeats } from '../capacity/capacity.ts';
import { couponWithCode } from '../coupons/uses/coupon.use.ts';
import { couponDecider } from '../coupons/coupon.ts';
import { commerce } from '../module.ts';
import { isOrderId } from '../orders/order.ids.ts';
import { type Order, capturedOf, isBought, orderStatuses } from '../orders/order.state.ts';
import { orderDecider } from '../orders/deciding/order.ts';
import { planDecider } from '../plans/plan.ts';
import { isSubscriptionId } from '../subscriptions/subscription.ids.ts';
import type { Subscription } from '../subscriptions/subscription.state.ts';
import { subscriptionDecider } from '../subscriptions/subscription.ts';

const [lantern, music] = ['lantern-craft', 'north-quay'].map(demoSchoolId);
const schools = [lantern!, music!];

/** What the school service answers. */
async function askSchool(_service: string, { kind, ids }: Readonly<Record<string, unknown>>): Promise<unknown> {
  if (kind === 'seller')
    return { name: 'A school', details: null, base_url: 'http://h', locale: 'en', timezone: 'UTC' };
  if (kind !== 'members-by-id' || !Array.isArray(ids)) return undefined;
  return { members: ids.map((id) => ({ id, name: `Name of ${id}`, email: `${id}@example.org`, tags: [] })) };
}

const demo = { password: 'unused here', port: 8080, baseUrl: 'http://127.0.0.1:8080' };

const start = () =>
  serviceUnderTest(commerce, { schools: { [lantern!]: 'USD', [music!]: 'JPY' }, ports: { ask: askSchool } });

let service: ServiceUnderTest;
let log: EventLog;
const seed = async () => {
  await service.started.seedDemo?.(demo);
  await service.started.seedDemoHistory?.(demo);
  await service.settled();
};
beforeAll(async () => {
  service = await start();
  ({ log } = service);
  service.clock.advance(Date.parse('2026-11-25T09:00:00Z') - service.clock.now());
  await seed();
});
afterAll(() => service.close());

const commitsOf = (school: string) => log.readLane(log.laneOf(school), 0, 10_000);

/** The streams of a school of which a name says so. */
async function streamsOf(school: string, is: (stream: string) => boolean): Promise<readonly string[]> {
  const commits = await commitsOf(school);
  const ids = new Set(commits.flatMap(({ tenant, events }) => (tenant === school ? events.map((e) => e.stream) : [])));
  return [...ids].filter(is);
}

/** All orders of a school, by their number. */
async function ordersOf(school: string): Promise<readonly Order[]> {
  const ids = await streamsOf(school, isOrderId);
  const all = await Promise.all(ids.map(async (id) => (await fold(log, orderDecider, school, id)).state));
  return all.flatMap((order) => order ?? []).toSorted((one, other) => one.number - other.number);
}

const couponOf = async (school: string, code: string) =>
  (await fold(log, couponDecider, school, (await couponWithCode(log, school, code)) ?? '')).state;

describe('what the demo schools sell', () => {
  test('is written once, and is the same code in both, of another coupon', async () => {
    const isSold = ({ id }: { readonly id: string }) => /^(order|subscription|coupon|plan|invoice)_/.test(id);
    const written = async () =>
      Promise.all(
        schools.map(async (school) => (await commitsOf(school)).filter(({ streams }) => streams.some(isSold)).length),
      );
    const before = await written();
    await seed();
    expect(await written()).toEqual(before);
    const [one, other] = await Promise.all(schools.map((school) => couponWithCode(log, school, 'welcome10')));
    expect(one).toMatch(/^coupon_/);
    expect(other).not.toBe(one);
  });

  test.each(['lantern-craft', 'north-quay'])(
    'is a coupon in each state, and one for a plan that there is (%s)',
    async (slug) => {
      const school = demoSchoolId(slug);
      expect(await couponOf(school, 'LASTSEAT')).toMatchObject({ kind: 'amount', max_redemptions: 1, redeemed: 1 });
      expect((await couponOf(school, 'WELCOME10'))?.redeemed).toBeGreaterThan(0);
      expect((await couponOf(school, 'SUMMER26'))?.ends_at).toBe('2026-09-01T00:00:00.000Z');
      expect((await couponOf(school, 'WINTER15'))?.status).toBe('paused');
      const friends = await couponOf(school, 'FRIENDS');
      const [plan] = friends?.applies_to === 'all' ? [] : (friends?.applies_to ?? []);
      const { state } = await fold(log, planDecider, school, plan?.item_id ?? '');
      expect([friends?.duration_cycles, state]).toMatchObject([
        3,
        { slug: 'monthly', status: 'active', trial_days: 14 },
      ]);
    },
  );
});

/** All subscriptions of a school. */
async function subscriptionsOf(school: string): Promise<readonly Subscription[]> {
  const ids = await streamsOf(school, isSubscriptionId);
  const all = await Promise.all(ids.map(async (id) => (await fold(log, subscriptionDecider, school, id)).state));
  return all.flatMap((state) => state ?? []);
}

describe('who has which plan in the demo schools', () => {
  test('are nine, one in each state and one for life', async () => {
    const all = await subscriptionsOf(lantern!);
    const told = all.map(({ status, terms, member_id }) => [status, terms.interval?.unit ?? null, member_id]);
    const person = (local: string) => demoAccountId(lantern!, local);
    expect(told).toEqual([
      ['active', 'month', person('ben.okafor')],
      ['canceled', 'month', person('gabriel.silva')],
      ['lapsed', 'month', person('kofi.mensah')],
      ['active', null, person('quentin.roy')],
      ['paused', 'year', person('olga.nowak')],
      ['expired', 'year', person('mina.park')],
      ['past_due', 'month', person('jana.novak')],
      ['trialing', 'month', person('lea.martin')],
      ['incomplete', 'year', person('nils.berg')],
    ]);
  });

  test('have paid each month after the trial, the first three at half the price', async () => {
    const ben = demoAccountId(lantern!, 'ben.okafor');
    const paid = (await ordersOf(lantern!)).filter(
      ({ buyer, subscription_id }) => buyer.member_id === ben && subscription_id !== null,
    );
    expect(paid.map(({ source, total, status }) => [source, total, status])).toEqual([
      ['checkout', 0, 'paid'],
      ['renewal', 950, 'paid'],
      ['renewal', 950, 'paid'],
      ['renewal', 950, 'paid'],
    ]);
    expect(paid.every(({ fulfilled_at }) => fulfilled_at !== null)).toBe(true);
  });

  test('are reminded as long as there is hope, and lose access two weeks after what was due', async () => {
    const [lapsed, due] = (await subscriptionsOf(lantern!)).filter(({ terms, status }) => {
      return terms.interval?.unit === 'month' && (status === 'lapsed' || status === 'past_due');
    });
    expect(lapsed?.ended_at).toBe('2026-10-20T09:04:00.000Z');
    expect(due?.dunning?.payments).toHaveLength(3);
    expect(due?.dunning?.next_attempt_at).toBe('2026-11-26T09:04:00.000Z');
  });

  test('are others in North Quay, at its own prices', async () => {
    const all = await subscriptionsOf(music!);
    expect(all.map(({ status }) => status)).toEqual(['active', 'lapsed', 'active', 'paused', 'trialing']);
    expect(new Set(all.map(({ terms }) => terms.price.currency))).toEqual(new Set(['JPY']));
  });

  test('go on like any other: the next try comes at its time, and changes nobody else', async () => {
    const statuses = async () => (await subscriptionsOf(lantern!)).map(({ status }) => status);
    const before = await statuses();
    service.clock.advance(2 * 86_400_000);
    const tries = async () =>
      (await subscriptionsOf(lantern!)).find(({ status }) => status === 'past_due')?.dunning?.payments.length;
    for (let looks = 0; looks < 500 && (await tries()) === 3; looks += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await tries()).toBe(4);
    expect(await statuses()).toEqual(before);
  });
});

describe('what was bought in the demo schools', () => {
  test.each([
    ['lantern-craft', 45],
    ['north-quay', 18],
  ])('are orders in every state, with numbers that have no gaps (%s)', async (slug, count) => {
    const all = await ordersOf(demoSchoolId(slug));
    expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1));
    const orders = all.filter(({ subscription_id }) => subscription_id === null);
    expect(orders).toHaveLength(count);
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(orderStatuses));
    expect(orders.flatMap(({ refused }) => refused)).toEqual([]);
    expect(orders.some(({ source, total }) => source === 'comp' && total === 0)).toBe(true);
    expect(orders.some(({ payments }) => payments.some(({ state }) => state === 'returned'))).toBe(true);
    const waiting = orders.filter((order) => isBought(order) && order.fulfilled_at === null);
    expect(waiting.map(({ number, status }) => [number, status])).toEqual([]);
    for (const order of orders)
      expect([order.number, capturedOf(order)?.amount ?? 0]).toEqual([order.number, isBought(order) ? order.total : 0]);
  });

  test('leave the course open to somebody who bought it twice, and got one back', async () => {
    const ana = demoAccountId(lantern!, 'ana.duarte');
    const bought = (await ordersOf(lantern!)).filter(({ buyer, lines }) => {
      return buyer.member_id === ana && lines[0]?.item_type === 'course';
    });
    expect(bought.map(({ status, lines }) => [status, lines[0]?.revoked])).toEqual([
      ['paid', false],
      ['refunded', true],
    ]);
  });

  test('leave one of three seats, and are of guests, too, who were found', async () => {
    const orders = await ordersOf(lantern!);
    const [line] = orders.flatMap(({ lines }) => lines).filter(({ seat }) => seat);
    const { state } = await fold(log, capacityDecider, lantern!, capacityStream(line!));
    expect([state.limit, takenSeats(state)]).toEqual([3, 2]);
    const nils = demoAccountId(lantern!, 'nils.berg');
    const guests = orders.filter(({ buyer }) => buyer.email !== undefined && buyer.email !== null);
    expect(guests.map(({ buyer }) => buyer.member_id)).toEqual([nils, nils]);
  });
});

test('what people have changed before it was written stays: what is impossible by then is left out, and all else is there', async () => {
  const before = (await ordersOf(lantern!)).filter(({ subscription_id }) => subscription_id === null).length;
  const own = await start();
  try {
    own.clock.advance(Date.parse('2026-11-25T09:00:00Z') - own.clock.now());
    await own.started.seedDemo?.(demo);
    const coupon = (await couponWithCode(own.log, lantern!, 'LASTSEAT')) ?? '';
    const archived = await own.call('POST', `/api/coupons/${coupon}/archive`, { school: lantern! });
    expect(archived.status).toBe(200);
    log = own.log;
    await own.started.seedDemoHistory?.(demo);
    const orders = await ordersOf(lantern!);
    expect(orders.filter(({ subscription_id }) => subscription_id === null)).toHaveLength(before - 1);
    expect(orders.map(({ number }) => number)).toEqual(orders.map((_, index) => index + 1));
    expect(await subscriptionsOf(lantern!)).toHaveLength(9);
    expect((await couponOf(lantern!, 'LASTSEAT'))?.status).toBe('archived');
  } finally {
    await own.close();
  }
});
