import { type Decider, type Rejection, differences, reject } from '@lyceum/kernel';
import { type CouponEvent, type StoredFields, couponEvents } from './coupon.events.ts';
import { faultsOf, frozenIn, isInForce } from './coupon.rules.ts';
import { type Coupon, type CouponState, evolve } from './coupon.state.ts';
import { hasRoom, holdOf, liveHolds } from './tallies/tally.ts';

export type { Coupon, CouponState } from './coupon.state.ts';

/** What should be different. A list replaces the whole list. */
export interface CouponChanges extends Partial<StoredFields> {
  readonly code?: string;
}

/** What can be asked of a coupon by an order. `now`: RFC 3339 UTC. */
export type UseCommand =
  | { readonly type: 'HoldCoupon'; readonly order_id: string; readonly expires_at: string; readonly now: string }
  | {
      readonly type: 'RedeemCoupon';
      readonly order_id: string;
      /** null = the buyer is no member yet. */
      readonly member_id: string | null;
      /** What it took off, in minor units. */
      readonly amount: number;
      readonly currency: string;
      readonly now: string;
    }
  | { readonly type: 'ReleaseCoupon'; readonly order_id: string };

/** What can be asked of a coupon. `currency` is the school's. */
export type CouponCommand =
  | UseCommand
  | {
      readonly type: 'CreateCoupon';
      readonly code: string;
      readonly currency: string;
      readonly fields: StoredFields;
      readonly by: string;
      readonly batch_id?: string;
    }
  | {
      readonly type: 'ChangeCoupon';
      readonly changes: CouponChanges;
      readonly currency: string;
      readonly now: string;
    }
  | { readonly type: 'PauseCoupon' | 'ActivateCoupon' | 'ArchiveCoupon' }
  | { readonly type: 'DeleteCoupon'; readonly now: string };

type Command<T extends CouponCommand['type']> = Extract<CouponCommand, { type: T }>;

/** What a command can be rejected for. */
export type CouponCode =
  'not_found' | 'code_taken' | 'redeemed' | 'invalid_state' | 'validation_failed' | 'coupon_invalid';

type Decision = readonly CouponEvent[] | Rejection<CouponCode>;

/** Why a coupon does not count is nobody's to try out. */
export const couponInvalid = (): Rejection<'coupon_invalid'> =>
  reject('coupon_invalid', 'This coupon does not count here, or not any more');

function decide(command: CouponCommand, state: CouponState): Decision {
  if (command.type === 'CreateCoupon') return create(command, state);
  if (command.type === 'HoldCoupon') return hold(command, state);
  if (command.type === 'RedeemCoupon') return redeem(command, state);
  if (command.type === 'ReleaseCoupon') return release(command, state);
  if (!state) return reject('not_found', 'There is no such coupon');
  switch (command.type) {
    case 'ChangeCoupon':
      return change(command, state);
    case 'PauseCoupon':
      if (state.status === 'archived') return reject('invalid_state', 'An archived coupon cannot be paused');
      return state.status === 'paused' ? [] : [{ type: 'CouponPaused', data: {} }];
    case 'ActivateCoupon':
      if (state.status === 'archived') return reject('invalid_state', 'An archived coupon cannot be activated');
      return state.status === 'active' ? [] : [{ type: 'CouponActivated', data: {} }];
    case 'ArchiveCoupon':
      return state.status === 'archived' ? [] : [{ type: 'CouponArchived', data: {} }];
    case 'DeleteCoupon':
      return remove(command, state);
  }
}

function create(command: Command<'CreateCoupon'>, state: CouponState): Decision {
  if (state) return reject('invalid_state', 'The coupon exists already');
  const { code, currency, fields, by: created_by, batch_id } = command;
  const faults = faultsOf(fields);
  if (faults.length > 0) return reject('validation_failed', 'The coupon is not acceptable', faults);
  const batch = batch_id === undefined ? {} : { batch_id };
  return [{ type: 'CouponCreated', data: { code, currency, fields, created_by, ...batch } }];
}

function change({ changes, currency: schools, now }: Command<'ChangeCoupon'>, before: Coupon): Decision {
  if (before.status === 'archived') return reject('invalid_state', 'An archived coupon cannot be changed');
  const { code = before.code, ...wanted } = changes;
  const fields = differences<Partial<StoredFields>>(before, wanted);
  // What says nothing about amounts leaves them in the currency that they are in.
  const currency =
    fields?.kind !== undefined || fields?.value !== undefined || fields?.min_subtotal !== undefined
      ? schools
      : before.currency;
  const after = { ...before, ...(fields as Partial<StoredFields> | undefined), code, currency };
  const faults = faultsOf(after);
  if (faults.length > 0) return reject('validation_failed', 'The coupon is not acceptable', faults);
  const frozen = frozenIn(before, after, now);
  if (frozen.length > 0) return reject('redeemed', 'The coupon was used already', frozen);
  const events: CouponEvent[] = [];
  if (fields) {
    const moved = currency === before.currency ? {} : { currency };
    events.push({ type: 'CouponChanged', data: { fields, ...moved } });
  }
  if (code !== before.code) events.push({ type: 'CouponCodeChanged', data: { code } });
  return events;
}

function remove({ now }: Command<'DeleteCoupon'>, state: Coupon): Decision {
  if (state.redeemed > 0) return reject('redeemed', 'A coupon that was redeemed is archived, not deleted');
  if (liveHolds(state, now).length > 0)
    return reject('invalid_state', 'An order that is being paid for uses the coupon: archive it instead');
  return [{ type: 'CouponDeleted', data: {} }];
}

/** Whether an order gets a use of a coupon that it does not hold. */
const isFree = (state: CouponState, order_id: string, now: string): state is Coupon =>
  state !== null && isInForce(state, now) && hasRoom(state, state.max_redemptions, order_id, now);

/** So many orders hold a use of a coupon at a time: all of them stand in its state. */
const mostHolds = 5_000;

/** What an order holds, it may hold until another time, also when the coupon was paused or its time was over meanwhile. */
function hold({ order_id, expires_at, now }: Command<'HoldCoupon'>, state: CouponState): Decision {
  const known = state && holdOf(state, order_id, now);
  if (!state || (!known && !isFree(state, order_id, now))) return couponInvalid();
  if (known?.expires_at === expires_at) return [];
  // Of any number none has to be kept; they only keep the coupon from being deleted.
  if (!known && liveHolds(state, now).length >= mostHolds) return state.max_redemptions === null ? [] : couponInvalid();
  return [{ type: 'CouponHeld', data: { order_id, expires_at } }];
}

/**
 * What an order holds, it may redeem, also when the coupon was paused or its time was over meanwhile; and what has any
 * number of uses, which not every order needs to hold.
 */
function redeem(command: Command<'RedeemCoupon'>, state: CouponState): Decision {
  const { order_id, member_id, amount, currency, now } = command;
  const isHeld = state !== null && holdOf(state, order_id, now) !== undefined;
  const isUnlimited = state !== null && state.max_redemptions === null;
  if (!isHeld && !isUnlimited && !isFree(state, order_id, now)) return couponInvalid();
  return [{ type: 'CouponRedeemed', data: { order_id, member_id, amount, currency } }];
}

function release({ order_id }: Command<'ReleaseCoupon'>, state: CouponState): Decision {
  const isThere = state?.holds.some((each) => each.order_id === order_id) ?? false;
  return isThere ? [{ type: 'CouponReleased', data: { order_id } }] : [];
}

/** The kind of the claims that keep codes unique in a school. */
export const couponCodes = 'coupon_code';

/** A coupon: the stream is its id. */
export const couponDecider: Decider<CouponState, CouponCommand, CouponEvent, CouponCode> = {
  events: couponEvents,
  initial: null,
  snapshot: { version: 1 },
  decide,
  evolve,
  claims: (event) =>
    event.type === 'CouponCreated' || event.type === 'CouponCodeChanged'
      ? [{ kind: couponCodes, value: event.data.code, rejected: 'code_taken' }]
      : [],
  releases: (event, before) =>
    (event.type === 'CouponDeleted' || event.type === 'CouponCodeChanged') && before
      ? [{ kind: couponCodes, value: before.code }]
      : [],
};
