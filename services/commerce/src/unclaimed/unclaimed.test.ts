import { describe, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { UnclaimedEvent } from './unclaimed.events.ts';
import { unclaimedDecider } from './unclaimed.ts';

const notice = (event_id: string) => ({
  provider: 'stripe',
  event_id,
  kind: 'captured',
  order_id: 'order_1',
  payment_id: 'payment_1',
  reason: 'There is no such order',
});
const kept = (event_id: string): UnclaimedEvent => ({ type: 'NoticeUnclaimed', data: notice(event_id) });
const keep = (event_id: string) => ({ type: 'KeepNotice', notice: notice(event_id) }) as const;
const dismissed = (event_id: string): UnclaimedEvent => ({ type: 'UnclaimedDismissed', data: { event_id } });
const dismiss = (event_id: string) => ({ type: 'DismissUnclaimed', event_id }) as const;

describe('a notice that no order claims', () => {
  test('is kept once, until it is dismissed, and not again after that', () => {
    given(unclaimedDecider).when(keep('a')).then(kept('a'));
    given(unclaimedDecider, kept('a')).when(keep('a')).unchanged();
    given(unclaimedDecider, kept('a')).when(dismiss('a')).then(dismissed('a'));
    given(unclaimedDecider, kept('a'), dismissed('a')).when(dismiss('a')).unchanged();
    given(unclaimedDecider, kept('a'), dismissed('a')).when(keep('a')).unchanged();
    given(unclaimedDecider, kept('a')).when(dismiss('b')).rejected('not_found');
  });

  test('is one of a hundred at most', () => {
    const many = Array.from({ length: 100 }, (_, index) => kept(`event_${index}`));
    given(unclaimedDecider, ...many)
      .when(keep('one more'))
      .unchanged();
    given(unclaimedDecider, ...many, dismissed('event_7'))
      .when(keep('one more'))
      .then(kept('one more'));
  });
});
