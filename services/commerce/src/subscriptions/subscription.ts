import type { Claim, Decider } from '@lyceum/kernel';
import { type ChangingCommand, abandonChange, changePlan, completeChange } from './subscription.changing.ts';
import { type EndingCommand, cancel, extend, pause, restore, resume, suspend } from './subscription.ending.ts';
import { type SubscriptionEvent, subscriptionEvents } from './subscription.events.ts';
import { evolve } from './subscription.folding.ts';
import type { Decision, SubscriptionCode } from './subscription.live.ts';
import { type RenewingCommand, failRenewal, passPeriods, passTime, renew } from './subscription.renewing.ts';
import { type StartingCommand, abandon, give, place, start } from './subscription.starting.ts';
import type { SubscriptionState } from './subscription.state.ts';

/** What can be asked of a subscription. `now` is RFC 3339 UTC, as are all times. */
export type SubscriptionCommand = { readonly now: string } & (
  StartingCommand | RenewingCommand | ChangingCommand | EndingCommand
);

function decide(command: SubscriptionCommand, state: SubscriptionState): Decision {
  switch (command.type) {
    case 'PlaceSubscription':
      return place(command, state);
    case 'StartSubscription':
      return start(command, state);
    case 'AbandonSubscription':
      return abandon(command, state);
    case 'GiveSubscription':
      return give(command, state);
    case 'RenewSubscription':
      return renew(command, state);
    case 'FailRenewal':
      return failRenewal(command, state);
    case 'PassTime':
      return passTime(command, state);
    case 'PassPeriods':
      return passPeriods(command, state);
    case 'ChangePlan':
      return changePlan(command, state);
    case 'CompletePlanChange':
      return completeChange(command, state);
    case 'AbandonPlanChange':
      return abandonChange(command, state);
    case 'CancelSubscription':
      return cancel(command, state);
    case 'ResumeSubscription':
      return resume(command, state);
    case 'PauseSubscription':
      return pause(command, state);
    case 'SuspendSubscription':
      return suspend(command, state);
    case 'RestoreSubscription':
      return restore(command, state);
    case 'ExtendSubscription':
      return extend(command, state);
  }
}

/** A member has one live subscription to a plan: it is claimed while it lasts, or waits to be changed to. */
const kind = 'subscription';
const holding = (member: string, plan: string): string => `${member}/${plan}`;

/** The claim by which a member has one live subscription to a plan. */
export const holdingClaim = (member: string, plan: string) => ({ kind, value: holding(member, plan) });

function claims({ type, data }: SubscriptionEvent): readonly Claim<SubscriptionCode>[] {
  switch (type) {
    case 'SubscriptionStarted':
    case 'SubscriptionPlanChangeRequested':
    case 'SubscriptionPlanChanged':
      return [{ kind, value: holding(data.member_id, data.terms.plan_id), rejected: 'already_subscribed' }];
    default:
      return [];
  }
}

/** The plans that an event leaves without this subscription. */
function left({ type }: SubscriptionEvent, { terms, change }: NonNullable<SubscriptionState>): readonly string[] {
  const wanted = change && change.terms.plan_id !== terms.plan_id ? [change.terms.plan_id] : [];
  switch (type) {
    case 'SubscriptionLapsed':
    case 'SubscriptionCanceled':
      return [terms.plan_id, ...wanted];
    case 'SubscriptionPlanChangeWithdrawn':
      return wanted;
    case 'SubscriptionPlanChanged':
      return [terms.plan_id];
    default:
      return [];
  }
}

/** One member's subscription. */
export const subscriptionDecider: Decider<SubscriptionState, SubscriptionCommand, SubscriptionEvent, SubscriptionCode> =
  {
    events: subscriptionEvents,
    initial: null,
    decide,
    evolve,
    claims,
    releases: (event, before) =>
      before?.member_id
        ? left(event, before).map((plan) => ({ kind, value: holding(before.member_id ?? '', plan) }))
        : [],
  };
