import type { Decider } from '@lyceum/kernel';
import { type RecoveryEvent, recoveryEvents } from './recovery.events.ts';

/** When a link was last asked for to an address, in milliseconds since the epoch; undefined = never. */
export type RecoveryState = { readonly asked: number } | undefined;

export interface RecoveryCommand {
  readonly type: 'AskReset';
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly language: string;
}

/** No address gets more than one mail a minute. */
const pause = 60_000;

/** Decides whether a mail with a link is due. It never refuses, so that the reply reveals nothing. */
export const recoveryDecider: Decider<RecoveryState, RecoveryCommand, RecoveryEvent> = {
  events: recoveryEvents,
  initial: undefined,
  decide: ({ now, language }, state) =>
    state && now - state.asked < pause ? [] : [{ type: 'ResetAsked', data: { language } }],
  evolve: (_, __, { at }) => ({ asked: Date.parse(at) }),
  snapshot: { version: 1 },
};
