import { describe, expect, test } from '@jest/globals';
import { ConcurrencyConflict, type EventLog, execute, fold, memoryEventLog } from '@lyceum/eventlog';
import { type Decider, type Rejection, type SideEvent, isRejection, uuidv5 } from '@lyceum/kernel';
import { createSecretKey } from 'node:crypto';
import { type StoredFields } from '../coupon.events.ts';
import { type UseCommand, couponDecider } from '../coupon.ts';
import { liveHolds } from '../tallies/tally.ts';
import { type Buyer, couponWithCode, readCouponUse, redeemersOf } from './coupon.use.ts';
import { decideUse } from './redeemer.ts';

const school = 'school_1';
const coupon = 'coupon_1';
const at = '2026-01-05T08:00:00.000Z';
const soon = '2026-01-05T08:40:00.000Z';
const vault = { derive: async () => createSecretKey(Buffer.alloc(32, 7)) };
const nothing = { parse: (value: unknown) => value };

/** An order, as far as its coupon is concerned: what it does with a use stands in its own commit. */
const orderDecider: Decider<number, readonly SideEvent[], { readonly type: 'OrderMoved'; readonly data: object }> = {
  events: { OrderMoved: { version: 1, data: nothing } },
  initial: 0,
  decide: () => [{ type: 'OrderMoved', data: {} }],
  evolve: (moves) => moves + 1,
  sideEvents: (_before, _after, command) => command,
};

const fields: StoredFields = {
  name: 'Welcome',
  kind: 'percent',
  value: 10,
  applies_to: 'all',
  max_redemptions: 10,
  per_member_limit: null,
  min_subtotal: null,
  starts_at: null,
  ends_at: null,
  duration: 'once',
  duration_cycles: null,
};

async function logWith(more: Partial<StoredFields> = {}): Promise<EventLog> {
  const log = memoryEventLog();
  const command = { type: 'CreateCoupon', code: 'WELCOME10', currency: 'USD', fields: { ...fields, ...more }, by: 'a' };
  await execute(log, couponDecider, {
    tenant: school,
    stream: coupon,
    command: command as Parameters<typeof couponDecider.decide>[0],
    at,
    meta: { actor: 'acc_1' },
    commitId: uuidv5('made'),
  });
  return log;
}

/** A refusal, thrown out of the reading of a command. */
class Refused extends Error {
  readonly rejection: Rejection<'coupon_invalid'>;

  constructor(rejection: Rejection<'coupon_invalid'>) {
    super(rejection.reason);
    this.rejection = rejection;
  }
}

/** An order does something with its use, in one commit; a race that is lost too often is begun again. */
async function move(log: EventLog, order: string, buyer: Buyer, command: UseCommand): Promise<string> {
  const streams = await redeemersOf(vault, school, coupon, buyer);
  const read = async () => {
    const use = await readCouponUse(log, school, coupon, streams);
    const decided = decideUse(use, command);
    if (isRejection(decided)) throw new Refused(decided);
    return { command: decided, expectedVersions: use.expectedVersions };
  };
  for (;;) {
    try {
      await execute(log, orderDecider, {
        tenant: school,
        stream: order,
        command: read,
        at,
        meta: { actor: 'system' },
        commitId: uuidv5(order, command.type),
      });
      return 'done';
    } catch (error) {
      if (error instanceof Refused) return error.rejection.rejected;
      if (!(error instanceof ConcurrencyConflict)) throw error;
    }
  }
}

const hold = (log: EventLog, order: string, buyer: Buyer = { email: `${order}@example.org` }) =>
  move(log, order, buyer, { type: 'HoldCoupon', order_id: order, expires_at: soon, now: at });
const redeem = (log: EventLog, order: string, buyer: Buyer = { email: `${order}@example.org` }) =>
  move(log, order, buyer, {
    type: 'RedeemCoupon',
    order_id: order,
    member_id: buyer.member_id ?? null,
    amount: 1,
    currency: 'USD',
    now: at,
  });
const release = (log: EventLog, order: string, buyer: Buyer = { email: `${order}@example.org` }) =>
  move(log, order, buyer, { type: 'ReleaseCoupon', order_id: order });

const tallyOf = async (log: EventLog) => {
  const { state } = await fold(log, couponDecider, school, coupon);
  return [state?.redeemed, state && liveHolds(state, at).length];
};

describe('the use of a coupon by an order', () => {
  test('stands in the commit of the order, with what the buyer has had', async () => {
    const log = await logWith({ per_member_limit: 1 });
    expect(await hold(log, 'order_1')).toBe('done');
    const { commits } = await log.load(school, ['order_1']);
    expect(commits[0]!.events.map(({ type }) => type)).toEqual(['OrderMoved', 'CouponHeld', 'CouponUseHeld']);
    expect([await redeem(log, 'order_1'), await tallyOf(log)]).toEqual(['done', [1, 0]]);
  });

  test('200 orders at once get exactly the ten uses that there are', async () => {
    const log = await logWith();
    const orders = Array.from({ length: 200 }, (_, index) => `order_${index}`);
    const outcomes = await Promise.all(orders.map((order) => hold(log, order)));
    expect(outcomes.filter((each) => each === 'done')).toHaveLength(10);
    expect(await tallyOf(log)).toEqual([0, 10]);
    const winners = orders.filter((_, index) => outcomes[index] === 'done');
    expect(await Promise.all(winners.map((order) => redeem(log, order)))).toEqual(winners.map(() => 'done'));
    expect([await tallyOf(log), await hold(log, 'order_late')]).toEqual([[10, 0], 'coupon_invalid']);
  });

  test('is one for each person: by account or by address, whichever they come with again', async () => {
    const log = await logWith({ per_member_limit: 1 });
    const ada = { member_id: 'account_ada', email: 'Ada@example.org' };
    expect([await hold(log, 'order_1', ada), await redeem(log, 'order_1', ada)]).toEqual(['done', 'done']);
    const again: readonly Buyer[] = [
      { email: 'ada@EXAMPLE.org' },
      { member_id: 'account_ada' },
      { member_id: 'account_ada', email: 'other@example.org' },
      { member_id: 'account_other', email: 'ada@example.org' },
    ];
    for (const [index, buyer] of again.entries())
      expect(await hold(log, `order_again_${index}`, buyer)).toBe('coupon_invalid');
    expect(await hold(log, 'order_2', { member_id: 'account_bob', email: 'bob@example.org' })).toBe('done');
  });

  test('that is given back is there for others, and for the same person', async () => {
    const log = await logWith({ per_member_limit: 1, max_redemptions: 1 });
    const bob = { email: 'bob@example.org' };
    expect([await hold(log, 'order_1', bob), await hold(log, 'order_2')]).toEqual(['done', 'coupon_invalid']);
    expect([await release(log, 'order_1', bob), await hold(log, 'order_3', bob)]).toEqual(['done', 'done']);
  });

  test('is found by its code, however it is typed, and by no other', async () => {
    const log = await logWith();
    expect(await couponWithCode(log, school, ' welcome10 ')).toBe(coupon);
    expect(await couponWithCode(log, school, 'WELCOME1')).toBeUndefined();
    expect(await couponWithCode(log, 'school_2', 'WELCOME10')).toBeUndefined();
  });

  test('leaves no address, and no name that tells who it was, in the log', async () => {
    const log = await logWith();
    const buyer = { member_id: 'account_ada', email: 'ada@example.org' };
    await hold(log, 'order_1', buyer);
    const stored = JSON.stringify(await log.readLane(log.laneOf(school), 0, 100));
    expect(stored).not.toMatch(/ada/i);
    const [one, other] = [
      await redeemersOf(vault, school, coupon, buyer),
      await redeemersOf(vault, school, 'c', buyer),
    ];
    expect(new Set([...one, ...other]).size).toBe(4);
  });
});
