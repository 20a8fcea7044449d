import { isoTime } from '@lyceum/kernel';
import type { SubscriptionEvent } from '../subscriptions/subscription.events.ts';
import type { Reaction } from './renewing.ts';

/** What a subscription waits for: that nobody pays, the end of a period, the next try, the end of grace, of a change. */
const timers = { expiry: 'expiry', period: 'period', attempt: 'attempt', grace: 'grace', change: 'change' } as const;

const [looking, holding, resting] = ['look/', 'held/', 'rest/'];

const orderOf = (timer: string, prefix: string): string | undefined =>
  timer.startsWith(prefix) ? timer.slice(prefix.length) : undefined;

/** The timer by which a provider is asked what became of an order's payment. */
export const lookTimer = (order_id: string): string => `${looking}${order_id}`;

/** The order that such a timer is about; undefined for other timers. */
export const lookedAt = (timer: string): string | undefined => orderOf(timer, looking);

/** The timer of the time from which money for an order counts no more. */
export const heldTimer = (order_id: string): string => `${holding}${order_id}`;

/** The order that such a timer is about; undefined for other timers. */
export const heldFor = (timer: string): string | undefined => orderOf(timer, holding);

const [hour, mostHours] = [3_600_000, 24];

/** Hours that such a timer waited for the school to be open; undefined for other timers. */
export const restedFor = (timer: string): number | undefined => {
  const hours = orderOf(timer, resting);
  return hours === undefined ? undefined : Number(hours);
};

/** What is due is done when the school is open again: it is looked for after 1 h, 2 h … a day. A closed one stays closed. */
export function restAfter(code: string, rested: number | undefined, now: string): Reaction {
  if (code !== 'school_suspended') return {};
  const hours = rested === undefined ? 1 : Math.min(rested * 2, mostHours);
  return { set: { [`${resting}${hours}`]: isoTime(Date.parse(now) + hours * hour) } };
}

/** Moves timers; null = nothing is waited for any more. */
function moved(times: Readonly<Record<string, string | null>>): Pick<Reaction, 'set' | 'cancel'> {
  const entries = Object.entries(times);
  const set = Object.fromEntries(entries.flatMap(([name, at]) => (at === null ? [] : [[name, at]])));
  const cancel = entries.flatMap(([name, at]) => (at === null ? [name] : []));
  return { set, cancel };
}

const over = moved(Object.fromEntries(Object.values(timers).map((name) => [name, null])));

/** What a subscription waits for after an event, and what is to be done now. */
export function afterSubscriptionEvent({ type, data }: SubscriptionEvent): Reaction {
  const { expiry, period, attempt, grace, change } = timers;
  switch (type) {
    case 'SubscriptionPlaced':
      return moved({ [expiry]: data.expires_at });
    case 'SubscriptionStarted':
      return moved({ [expiry]: null, [period]: data.period_end });
    case 'SubscriptionRenewed':
      return moved({ [period]: data.period_end, [attempt]: null, [grace]: null });
    case 'SubscriptionPastDue':
      return moved({ [period]: null, [attempt]: data.next_attempt_at, [grace]: data.grace_until });
    case 'SubscriptionRetryFailed':
      return moved({ [attempt]: data.next_attempt_at, [grace]: data.grace_until });
    case 'SubscriptionExtended':
    case 'SubscriptionResumed':
      return moved({ [period]: data.period_end });
    case 'SubscriptionPaused':
      // What was due is asked for again afterwards.
      return { ...moved({ [period]: null, [attempt]: null, [grace]: null }), commands: [{ do: 'end' }] };
    case 'SubscriptionPlanChangeRequested':
      if (data.when === 'period_end') return {};
      return { ...moved({ [change]: data.until }), commands: [{ do: 'change', change_id: data.change_id }] };
    case 'SubscriptionPlanChangeWithdrawn':
      return { ...moved({ [change]: null }), commands: [{ do: 'end_change', change_id: data.change_id }] };
    case 'SubscriptionPlanChanged':
      return moved({ [change]: null, [period]: data.period_end });
    case 'SubscriptionExpired':
      return over;
    case 'SubscriptionLapsed':
    case 'SubscriptionCanceled':
      return { ...over, commands: [{ do: 'end' }] };
    default:
      return {};
  }
}
