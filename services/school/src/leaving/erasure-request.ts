import { type Decider, reject } from '@lyceum/kernel';
import { type ErasureRequestEvent, erasureRequestEvents } from './erasure-request.events.ts';

/** What a member wishes about being erased. */
export interface ErasureRequestState {
  readonly status: 'none' | 'pending' | 'begun';
  /** RFC 3339; null while there is no request. */
  readonly requested_at: string | null;
  readonly due_at: string | null;
  /** The person was written to about the request. */
  readonly isConfirmed: boolean;
}

/** What may be asked of it. Times are RFC 3339. */
export type ErasureRequestCommand =
  | { readonly type: 'RequestErasure'; readonly due_at: string; readonly isLastOwner: boolean }
  | { readonly type: 'ConfirmErasure' }
  | { readonly type: 'CancelErasure'; readonly reason: 'person' | 'last_owner' }
  | { readonly type: 'BeginErasure'; readonly now: string };

/** Why it says no. */
export type ErasureRequestCode = 'not_found' | 'invalid_state' | 'last_owner';

const [memberPrefix, prefix] = ['account_', 'leaving_'];

/** The stream of a member's request. */
export const erasureRequestStream = (member: string): string => prefix + member.slice(memberPrefix.length);

/** The member whose request is in a stream. */
export const memberOfErasureRequest = (stream: string): string => memberPrefix + stream.slice(prefix.length);

const none: ErasureRequestState = { status: 'none', requested_at: null, due_at: null, isConfirmed: false };

/**
 * A member's wish to be erased: it waits, so that the person can think again, or notice that it was somebody else. Asking
 * again changes nothing, not even the time. The last owner of a school cannot leave it.
 */
export const erasureRequestDecider: Decider<
  ErasureRequestState,
  ErasureRequestCommand,
  ErasureRequestEvent,
  ErasureRequestCode
> = {
  events: erasureRequestEvents,
  initial: none,
  decide(command, { status, due_at, isConfirmed }) {
    switch (command.type) {
      case 'RequestErasure':
        if (command.isLastOwner)
          return reject('last_owner', 'The school needs an active owner: make somebody else one first');
        return status === 'none' ? [{ type: 'ErasureRequested', data: { due_at: command.due_at } }] : [];
      case 'ConfirmErasure':
        return status !== 'pending' || isConfirmed ? [] : [{ type: 'ErasureConfirmed', data: {} }];
      case 'CancelErasure':
        if (status === 'none') return reject('not_found', 'There is no request for erasure');
        if (status === 'begun' && command.reason === 'person')
          return reject('invalid_state', 'It is too late: the erasure is being done');
        return [{ type: 'ErasureCancelled', data: { reason: command.reason } }];
      case 'BeginErasure':
        return status === 'pending' && due_at !== null && due_at <= command.now
          ? [{ type: 'ErasureBegun', data: {} }]
          : [];
    }
  },
  evolve(state, event, { at }) {
    switch (event.type) {
      case 'ErasureRequested':
        return { status: 'pending', requested_at: at, due_at: event.data.due_at, isConfirmed: false };
      case 'ErasureConfirmed':
        return { ...state, isConfirmed: true };
      case 'ErasureCancelled':
        return none;
      case 'ErasureBegun':
        return { ...state, status: 'begun' };
    }
  },
};
