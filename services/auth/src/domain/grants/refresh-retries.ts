import { type Decider, reject } from '@lyceum/kernel';
import { type RefreshRetryEvent, refreshRetryEvents } from './refresh-retries.events.ts';

/** The rotation that was retried last, and how often. Undefined = none was. */
type RefreshRetries = { readonly at: number; readonly count: number } | undefined;

/** `at`: when the rotation was whose answer is asked for again, seconds since the epoch. */
interface RetryRefresh {
  readonly type: 'RetryRefresh';
  readonly at: number;
}

/** Retries of one rotation. A client that misses more answers has to sign its person in again. */
const most = 3;

/**
 * Counts the retries of a grant's refreshes. It has a stream of its own, beside that of the grant, so that a release which
 * knows nothing of retries still reads every grant.
 * @see RFC 9700 §4.14.2
 */
export const refreshRetriesDecider: Decider<RefreshRetries, RetryRefresh, RefreshRetryEvent, 'invalid_grant'> = {
  events: refreshRetryEvents,
  initial: undefined,
  decide: ({ at }, state) =>
    state?.at === at && state.count >= most
      ? reject('invalid_grant', 'The answer was given too often')
      : [{ type: 'RefreshRetried', data: { at } }],
  evolve: (state, { data: { at } }) => ({ at, count: state?.at === at ? state.count + 1 : 1 }),
  snapshot: { version: 1 },
};
