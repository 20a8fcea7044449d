import {
  ConcurrencyConflict,
  type EventLog,
  type Executed,
  type Expectation,
  claimant,
  execute,
  fold,
} from '@lyceum/eventlog';
import {
  type Clock,
  type Decider,
  type Meta,
  type Rejection,
  type SideEvent,
  isRejection,
  isoTime,
  reject,
} from '@lyceum/kernel';
import type { StatusTable } from '@lyceum/web';
import type { SchoolTurns } from '../ordering/school-turns.ts';
import { planRejections } from '../plans/plan.http.ts';
import type { PlanState } from '../plans/plan.state.ts';
import { type PlanCode, planDecider } from '../plans/plan.ts';
import { type SubscriptionEvent, subscriptionEvents } from '../subscriptions/subscription.events.ts';
import type { SubscriptionCode } from '../subscriptions/subscription.live.ts';
import type { SubscriptionState } from '../subscriptions/subscription.state.ts';
import { type SubscriptionCommand, holdingClaim, subscriptionDecider } from '../subscriptions/subscription.ts';
import { type SeatChange, eventsOfSeats, seatChanges } from './subscribing.seats.ts';

/** What a command to a subscription can be rejected for, by the plans that it is about, too. */
export type SubscribingCode = SubscriptionCode | PlanCode;

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const subscriptionRejections = {
  ...planRejections,
  already_canceled: 409,
  already_subscribed: 409,
  currency_mismatch: 409,
} as const satisfies StatusTable<SubscribingCode>;

/** What came of a command. */
export type SubscriptionOutcome = Executed<SubscriptionState> | Rejection<SubscribingCode>;

/** Who asks, and under which id that is written once. `expected`: at these versions only. */
interface Asked {
  readonly school: string;
  readonly id: string;
  readonly commitId: string;
  readonly fingerprint?: string;
  readonly meta?: Meta;
  readonly expected?: readonly number[] | undefined;
}

/** The plans whose subscribers change, as they are now, by id. */
type ReadPlans = ReadonlyMap<string, PlanState>;

/** A command with the subscription that it is for, and what was read for it. */
interface Subscribing {
  readonly id: string;
  readonly asked: SubscriptionCommand;
  readonly plans: ReadPlans;
}

const system: Meta = { actor: 'system' };

/** What a command changes about the subscribers of plans; nothing where it is rejected. */
function changesBy(command: SubscriptionCommand, state: SubscriptionState): readonly SeatChange[] {
  const decision = subscriptionDecider.decide(command, state);
  return isRejection(decision) ? [] : seatChanges(state, decision, command.now);
}

function besides({ id, asked, plans }: Subscribing, state: SubscriptionState) {
  const changes = changesBy(asked, state);
  const unread = changes.find(({ plan_id }) => !plans.has(plan_id));
  // The subscription has moved since: it is read and decided again.
  if (unread) throw new ConcurrencyConflict(unread.plan_id, 0, 0);
  return eventsOfSeats(id, changes, plans, asked.now);
}

/** The subscription with what it changes in its plans. */
const subscribingDecider: Decider<SubscriptionState, Subscribing, SubscriptionEvent, SubscribingCode> = {
  ...subscriptionDecider,
  decide(command, state) {
    const decision = subscriptionDecider.decide(command.asked, state);
    if (isRejection(decision)) return decision;
    const beside = besides(command, state);
    return isRejection(beside) ? beside : decision;
  },
  sideEvents(before, _after, command) {
    const beside = besides(command, before);
    if (isRejection(beside)) throw new Error(`what was decided cannot be done: ${beside.reason}`);
    return beside;
  },
};

/** A subscription as it is now, with the plans that a command to it changes, and the versions at which they were read. */
export interface ReadSubscription {
  readonly id: string;
  readonly state: SubscriptionState;
  readonly version: number;
  readonly plans: ReadPlans;
  /** Of the plans. */
  readonly expectedVersions: readonly Expectation[];
}

/** Reads what a command to a subscription is decided by. */
export async function readSubscription(
  log: EventLog,
  school: string,
  id: string,
  command: SubscriptionCommand,
): Promise<ReadSubscription> {
  const { state, version } = await fold(log, subscriptionDecider, school, id);
  const touched = new Set(changesBy(command, state).map(({ plan_id }) => plan_id));
  const found = await Promise.all(
    [...touched].map(async (plan) => ({ plan, ...(await fold(log, planDecider, school, plan)) })),
  );
  return {
    id,
    state,
    version,
    plans: new Map(found.map(({ plan, state: now }) => [plan, now])),
    expectedVersions: found.map(({ plan, version: was }) => ({ stream: plan, version: was })),
  };
}

/**
 * The events of a subscription that is placed, and of its plan, for the commit of the order that it is bought by; or the
 * rejection. The commit expects the versions of what was read: `expectationsOf`. Only what is placed takes no claim, so only
 * that can be a side event.
 */
export function eventsOfPlacing(
  { id, state, plans }: ReadSubscription,
  command: Extract<SubscriptionCommand, { type: 'PlaceSubscription' }>,
): readonly SideEvent[] | Rejection<SubscribingCode> {
  const decision = subscriptionDecider.decide(command, state);
  if (isRejection(decision)) return decision;
  const beside = besides({ id, asked: command, plans }, state);
  if (isRejection(beside)) return beside;
  const own = decision.map((event) => ({ ...event, stream: id, schema: subscriptionEvents[event.type].version }));
  return [...own, ...beside];
}

/** What a command would lead to now, with the subscription as it is: nothing is written. */
export async function previewSubscription(
  log: EventLog,
  school: string,
  id: string,
  command: SubscriptionCommand,
): Promise<
  { readonly state: SubscriptionState; readonly events: readonly SubscriptionEvent[] } | Rejection<SubscribingCode>
> {
  const { state, plans } = await readSubscription(log, school, id, command);
  const events = subscribingDecider.decide({ id, asked: command, plans }, state);
  if (isRejection(events)) return events;
  for (const claim of events.flatMap((event) => subscriptionDecider.claims?.(event) ?? [])) {
    const by = await claimant(log, school, claim.kind, claim.value);
    if (by !== undefined && by !== id) return reject(claim.rejected, 'The member has a subscription to the plan');
  }
  return { state, events };
}

/** The versions at which a subscription and its plans were read. */
export const expectationsOf = ({ id, version, expectedVersions }: ReadSubscription): readonly Expectation[] => [
  { stream: id, version },
  ...expectedVersions,
];

interface SubscribingPorts {
  readonly log: EventLog;
  readonly clock: Clock;
  /** Without them the log alone decides who was first. */
  readonly turns?: SchoolTurns;
}

/**
 * Brings a command to a subscription, in one commit with what it changes about the subscribers of its plans, when it is
 * the school's turn: many join the same plan. Not to be called in a turn that was taken already.
 */
export function decideSubscription(
  { log, clock, turns }: SubscribingPorts,
  { school: tenant, id: stream, meta = system, expected, ...commit }: Asked,
  command: (now: string) => SubscriptionCommand,
): Promise<SubscriptionOutcome> {
  const at = isoTime(clock.now());
  const asked = command(at);
  const read = async () => {
    const { plans, expectedVersions } = await readSubscription(log, tenant, stream, asked);
    return { command: { id: stream, asked, plans }, expectedVersions };
  };
  const request = { tenant, stream, at, meta, ...commit, ...(expected ? { expected } : {}), command: read };
  const decide = () => execute(log, subscribingDecider, request);
  return turns ? turns.take(tenant, decide) : decide();
}

/** The live subscription of a member to a plan, or the one that waits to be changed to it; undefined when there is none. */
export function liveSubscriptionOf(
  log: EventLog,
  school: string,
  member: string,
  plan: string,
): Promise<string | undefined> {
  const { kind, value } = holdingClaim(member, plan);
  return claimant(log, school, kind, value);
}
