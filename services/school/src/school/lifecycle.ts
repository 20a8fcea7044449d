import { type Decider, reject } from '@lyceum/kernel';
import { type LifecycleEvent, lifecycleEvents } from './lifecycle.events.ts';

/** The one stream of a school that says whether it is open. */
export const lifecycleStream = 'lifecycle';

/** Whether a school is open. Closed is for ever. */
export const schoolStatuses = ['active', 'suspended', 'closed'] as const;

/** Where a school stands. */
export interface LifecycleState {
  readonly status: (typeof schoolStatuses)[number];
  /** Why it is suspended; null when it is not. */
  readonly reason: string | null;
  /** RFC 3339; null = it was always open. */
  readonly changed_at: string | null;
}

/** What may be asked of a school's lifecycle. */
export type LifecycleCommand =
  | { readonly type: 'SuspendSchool'; readonly reason: string }
  | { readonly type: 'ResumeSchool' }
  | { readonly type: 'CloseSchool'; readonly by: string };

/** Why it says no. */
export type LifecycleCode = 'invalid_state';

/** The operator suspends a school and lets it go on; an owner closes it, for ever. Each may be repeated. */
export const lifecycleDecider: Decider<LifecycleState, LifecycleCommand, LifecycleEvent, LifecycleCode> = {
  events: lifecycleEvents,
  initial: { status: 'active', reason: null, changed_at: null },
  decide(command, { status }) {
    if (command.type === 'CloseSchool')
      return status === 'closed' ? [] : [{ type: 'SchoolClosed', data: { by: command.by } }];
    if (status === 'closed') return reject('invalid_state', 'The school is closed, and nothing opens it again');
    if (command.type === 'ResumeSchool') return status === 'active' ? [] : [{ type: 'SchoolResumed', data: {} }];
    return status === 'suspended' ? [] : [{ type: 'SchoolSuspended', data: { reason: command.reason } }];
  },
  evolve(_state, event, { at }) {
    if (event.type === 'SchoolSuspended') return { status: 'suspended', reason: event.data.reason, changed_at: at };
    return { status: event.type === 'SchoolClosed' ? 'closed' : 'active', reason: null, changed_at: at };
  },
};
