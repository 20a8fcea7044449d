import type { Detail } from '@lyceum/kernel';
import type { StoredFields } from './coupon.events.ts';
import type { Coupon } from './coupon.state.ts';
import { liveHolds } from './tallies/tally.ts';

const fault = (path: string, code: string, message: string): Detail => ({ path, code, message });

/** What is wrong with the fields of a coupon together. */
export function faultsOf({
  kind,
  value,
  starts_at,
  ends_at,
  duration,
  duration_cycles,
}: Pick<StoredFields, 'kind' | 'value' | 'starts_at' | 'ends_at' | 'duration' | 'duration_cycles'>): readonly Detail[] {
  const faults: Detail[] = [];
  if (kind === 'percent' && value > 100) faults.push(fault('value', 'too_big', 'must be 1 to 100 per cent'));
  if (starts_at !== null && ends_at !== null && ends_at <= starts_at)
    faults.push(fault('ends_at', 'not_after_start', 'must be after starts_at'));
  if (duration === 'repeating' && duration_cycles === null)
    faults.push(fault('duration_cycles', 'missing', 'says how many payments a repeating coupon is for'));
  if (duration !== 'repeating' && duration_cycles !== null)
    faults.push(fault('duration_cycles', 'not_repeating', 'is for repeating coupons only'));
  return faults;
}

const frozen = ['code', 'kind', 'value', 'currency'] as const;

type Compared = Pick<Coupon, (typeof frozen)[number] | 'max_redemptions'>;

/** What may not become of a coupon that was used: another worth, or a limit below what is used. */
export function frozenIn(before: Coupon, after: Compared, now: string): readonly Detail[] {
  const changed =
    before.redeemed === 0
      ? []
      : frozen
          .filter((name) => before[name] !== after[name])
          .map((name) => fault(name, 'frozen', 'stays as it was when the coupon was first redeemed'));
  const { max_redemptions: limit } = after;
  const live = liveHolds(before, now).length;
  const used = before.redeemed + live;
  if (limit === null || limit === before.max_redemptions || limit >= used) return changed;
  const message = `is below what is used: ${before.redeemed} redeemed, ${live} held by orders`;
  return [...changed, fault('max_redemptions', 'below_used', message)];
}

/** Whether a coupon counts at a time, as far as it says itself. */
export const isInForce = ({ status, starts_at, ends_at }: Coupon, now: string): boolean =>
  status === 'active' && (starts_at === null || starts_at <= now) && (ends_at === null || ends_at > now);
