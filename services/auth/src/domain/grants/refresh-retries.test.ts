import { test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { RefreshRetryEvent } from './refresh-retries.events.ts';
import { refreshRetriesDecider } from './refresh-retries.ts';

test('RFC 9700 §4.14.2: the answer to one rotation is given three times more at most, and that of the next one again', () => {
  const retried = (at: number): RefreshRetryEvent => ({ type: 'RefreshRetried', data: { at } });
  const before: RefreshRetryEvent[] = [];
  for (let count = 0; count < 3; count += 1) {
    given(refreshRetriesDecider, ...before)
      .when({ type: 'RetryRefresh', at: 100 })
      .then(retried(100));
    before.push(retried(100));
  }
  given(refreshRetriesDecider, ...before)
    .when({ type: 'RetryRefresh', at: 100 })
    .rejected('invalid_grant');
  given(refreshRetriesDecider, ...before)
    .when({ type: 'RetryRefresh', at: 200 })
    .then(retried(200));
});
