import { type Decider, type Rejection, reject } from '@lyceum/kernel';
import { type UnclaimedEvent, type UnclaimedNotice, unclaimedEvents } from './unclaimed.events.ts';

/** The one stream of a school with the notices that no order claims. */
export const unclaimedStream = 'unclaimed-notices';

/** The notices that wait for the operator, and the ids of those that were dismissed last. Plain JSON. */
export interface UnclaimedState {
  readonly waiting: readonly UnclaimedNotice[];
  readonly dismissed: readonly string[];
}

/** What can be asked of them. */
export type UnclaimedCommand =
  | { readonly type: 'KeepNotice'; readonly notice: UnclaimedNotice }
  | { readonly type: 'DismissUnclaimed'; readonly event_id: string };

/** Notices of a school that wait at a time; more are in the log of the process only, and at the provider. */
const mostWaiting = 100;
const mostDismissed = 100;

function decide(
  command: UnclaimedCommand,
  { waiting, dismissed }: UnclaimedState,
): readonly UnclaimedEvent[] | Rejection<'not_found'> {
  if (command.type === 'KeepNotice') {
    const { event_id } = command.notice;
    const isKnown = waiting.some((each) => each.event_id === event_id) || dismissed.includes(event_id);
    return isKnown || waiting.length >= mostWaiting ? [] : [{ type: 'NoticeUnclaimed', data: command.notice }];
  }
  const { event_id } = command;
  if (dismissed.includes(event_id)) return [];
  if (!waiting.some((each) => each.event_id === event_id))
    return reject('not_found', 'Nothing that a provider said waits under this id');
  return [{ type: 'UnclaimedDismissed', data: { event_id } }];
}

function evolve({ waiting, dismissed }: UnclaimedState, event: UnclaimedEvent): UnclaimedState {
  if (event.type === 'NoticeUnclaimed') return { waiting: [...waiting, event.data], dismissed };
  const { event_id } = event.data;
  return {
    waiting: waiting.filter((each) => each.event_id !== event_id),
    dismissed: [...dismissed, event_id].slice(-mostDismissed),
  };
}

/** What providers say of payments that no order of the school has: each once, and a bounded number. */
export const unclaimedDecider: Decider<UnclaimedState, UnclaimedCommand, UnclaimedEvent, 'not_found'> = {
  events: unclaimedEvents,
  initial: { waiting: [], dismissed: [] },
  snapshot: { version: 1 },
  decide,
  evolve,
};
