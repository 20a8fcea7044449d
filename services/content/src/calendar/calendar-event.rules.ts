import { largestAmount } from '@lyceum/contracts';
import type { Detail } from '@lyceum/kernel';
import type { CalendarEvent } from './calendar-event.state.ts';

const fault = (path: string, code: string, message: string): Detail => ({ path, code, message });

/** Milliseconds: longer is no event. */
const longest = 366 * 86_400_000;

type Checked = Pick<CalendarEvent, 'starts_at' | 'ends_at' | 'registration_closes_at' | 'price'>;

/** What is wrong with an event as it would be. `currency`: of the school. */
export function faultsOf(
  { starts_at, ends_at, registration_closes_at: closes, price }: Checked,
  currency: string,
): readonly Detail[] {
  const faults: Detail[] = [];
  if (ends_at <= starts_at) faults.push(fault('ends_at', 'not_after_start', 'must be after starts_at'));
  else if (Date.parse(ends_at) - Date.parse(starts_at) > longest)
    faults.push(fault('ends_at', 'too_long', 'must be within a year of starts_at'));
  if (closes !== null && closes > starts_at)
    faults.push(fault('registration_closes_at', 'after_start', 'must not be after starts_at'));
  if (price && price.currency !== currency)
    faults.push(fault('price.currency', 'currency_mismatch', `must be ${currency}`));
  const most = largestAmount(currency);
  if (price && price.amount > most) faults.push(fault('price.amount', 'too_large', `must be at most ${most}`));
  return faults;
}

/** What an event still needs to be public. */
export function unmet({ mode, venue, starts_at }: CalendarEvent, now: string): readonly Detail[] {
  const missing: Detail[] = [];
  if (mode !== 'online' && !venue) missing.push(fault('venue', 'missing', 'says where it is'));
  if (starts_at <= now) missing.push(fault('starts_at', 'in_past', 'must be in the future'));
  return missing;
}

/** Until when people may register. */
export const closesAt = ({
  registration_closes_at: closes,
  starts_at,
}: Pick<CalendarEvent, 'registration_closes_at' | 'starts_at'>): string => closes ?? starts_at;
