import { beforeAll, describe, expect, test } from '@jest/globals';
import { demoAccountId, demoSchoolId } from '@lyceum/contracts';
import { type EventLog, fold } from '@lyceum/eventlog';
import { enginesOf } from '@lyceum/testkit-service';
import { capacityDecider, capacityStream, takenSeats } from '../capacity/capacity.ts';
import { couponWithCode } from '../coupons/uses/coupon.use.ts';
import { couponDecider } from '../coupons/coupon.ts';
import { commerce } from '../module.ts';
import { SchoolTurns } from '../ordering/school-turns.ts';
import { isOrderId } from '../orders/order.ids.ts';
import { type Order, capturedOf, isBought, orderStatuses } from '../orders/order.state.ts';
import { orderDecider } from '../orders/deciding/order.ts';
import { planDecider } from '../plans/plan.ts';
import { seedCommerce } from './demo.ts';

const [lantern, music] = ['lantern-craft', 'north-quay'].map(demoSchoolId);
const schools = [lantern!, music!];

let log: EventLog;
let seed: () => Promise<void>;
beforeAll(async () => {
  const engines = enginesOf(commerce);
  const turns = new SchoolTurns();
  ({ log } = engines);
  seed = () => seedCommerce({ ...engines, turns });
  await seed();
});

const commitsOf = (school: string) => log.readLane(log.laneOf(school), 0, 10_000);

/** All orders of a school, by their number. */
async function ordersOf(school: string): Promise<readonly Order[]> {
  const commits = await commitsOf(school);
  const ids = new Set(commits.flatMap(({ tenant, events }) => (tenant === school ? events.map((e) => e.stream) : [])));
  const all = await Promise.all(
    [...ids].filter(isOrderId).map(async (id) => (await fold(log, orderDecider, school, id)).state),
  );
  return all.flatMap((order) => order ?? []).toSorted((one, other) => one.number - other.number);
}

const couponOf = async (school: string, code: string) =>
  (await fold(log, couponDecider, school, (await couponWithCode(log, school, code)) ?? '')).state;

describe('what the demo schools sell', () => {
  test('is written once, and is the same code in both, of another coupon', async () => {
    const lengths = async () => Promise.all(schools.map(async (school) => (await commitsOf(school)).length));
    const before = await lengths();
    await seed();
    expect(await lengths()).toEqual(before);
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

describe('what was bought in the demo schools', () => {
  test.each([
    ['lantern-craft', 45],
    ['north-quay', 18],
  ])('are orders in every state, with numbers that have no gaps (%s)', async (slug, count) => {
    const orders = await ordersOf(demoSchoolId(slug));
    expect(orders.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
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
