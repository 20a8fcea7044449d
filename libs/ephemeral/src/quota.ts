import type { Taken, TakenMany } from './port.ts';

/** Sums of a window's parts are off by less than this, in units. */
const rounding = 1e-6;

/** A quota, its window and what is asked of it are whole and at least 1. */
export function checkQuota(quota: number, window: number, most = 1): void {
  if (!Number.isSafeInteger(quota) || quota < 1) throw new RangeError('a quota is a whole number, at least 1');
  if (!Number.isSafeInteger(most) || most < 1) throw new RangeError('units are a whole number, at least 1');
  if (!Number.isSafeInteger(window) || window < 1)
    throw new RangeError('a window is a whole number of milliseconds, at least 1');
}

/** What is owed to a quota, beside what was taken. */
interface Debt {
  readonly debt: number;
}

/**
 * Up to so many units of a quota by the generic cell rate algorithm; none are asked for to look only. `owedBefore`: milliseconds
 * until everything that was taken is refilled, whatever a clock that was set makes of it; each unit adds its share of the
 * window, and the debt never exceeds the window.
 */
export function takeUnits(owedBefore: number, most: number, quota: number, window: number): TakenMany & Debt {
  const debt = Math.min(Math.max(0, owedBefore), window);
  const unit = window / quota;
  const unitsAt = (owed: number): number => Math.floor((window - owed) / unit + rounding);
  const taken = Math.min(most, Math.max(0, unitsAt(debt)));
  const owed = debt + taken * unit;
  const left = unitsAt(owed);
  return { taken, left, wait: Math.max(1, Math.ceil(owed - window + (left + 1) * unit - rounding)), debt: owed };
}

/** One unit of a quota, as `takeUnits` takes it. */
export function takeUnit(owedBefore: number, quota: number, window: number): Taken & Debt {
  const { taken, left, wait, debt } = takeUnits(owedBefore, 1, quota, window);
  return { taken: taken === 1, left, wait, debt };
}

/** The debt of a quota, worked out from what is left of it: never less than it is, and as much is left of it. */
export function debtOf({ left, wait }: Omit<TakenMany, 'taken'>, quota: number, window: number): number {
  const unit = window / quota;
  return window - (left + 1) * unit + Math.min(wait, unit);
}
