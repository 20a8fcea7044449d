import type { Taken } from './port.ts';

/** Sums of a window's parts are off by less than this, in units. */
const rounding = 1e-6;

/** A quota and its window are whole and at least 1. */
export function checkQuota(quota: number, window: number): void {
  if (!Number.isSafeInteger(quota) || quota < 1) throw new RangeError('a quota is a whole number, at least 1');
  if (!Number.isSafeInteger(window) || window < 1)
    throw new RangeError('a window is a whole number of milliseconds, at least 1');
}

/**
 * One unit of a quota by the generic cell rate algorithm. `debt`: milliseconds until everything that was taken is
 * refilled, whatever a clock that was set makes of it; each unit adds its share of the window, and the debt never
 * exceeds the window.
 */
export function takeUnit(told: number, quota: number, window: number): Taken & { readonly debt: number } {
  const debt = Math.min(Math.max(0, told), window);
  const unit = window / quota;
  const unitsAt = (owed: number): number => Math.floor((window - owed) / unit + rounding);
  const taken = unitsAt(debt) >= 1;
  const owed = taken ? debt + unit : debt;
  const left = unitsAt(owed);
  return { taken, left, wait: Math.max(1, Math.ceil(owed - window + (left + 1) * unit - rounding)), debt: owed };
}
