import { afterEach, describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { Inbox } from './inbox.ts';
import type { Message } from '../port.ts';
import { Listener, Owner } from '../testing/owner.ts';

const until = async (condition: () => boolean): Promise<void> => {
  for (const end = Date.now() + 5_000; !condition() && Date.now() < end;) await pause(2);
};

describe('E-C8: an inbox that begins while the owner is away', () => {
  let inbox: Inbox | undefined;
  afterEach(async () => inbox?.close());

  /** An inbox whose consumer kept that it has the first commit of an owner with four. */
  function begin(kept: { readonly commitId?: string; readonly epoch: string }, epoch = 'first') {
    const owner = new Owner(2, epoch);
    for (const text of ['a', 'b', 'c', 'd']) owner.commit(0, text);
    const listener = new Listener([1, 0]);
    const { epoch: known, ...commit } = kept;
    listener.kept = async () => ({ at: { position: 1, ...commit }, epoch: known });
    const state = { isAway: true, failed: 0 };
    const asked = <T>(answer: () => Promise<T>): Promise<T> =>
      state.isAway ? Promise.reject(new Error('the owner is away')) : answer();
    inbox = new Inbox(listener, 0, (...range) => asked(() => owner.history(...range)), {
      backoff: () => 5,
      heads: () => asked(() => owner.heads()),
      onError: () => void (state.failed += 1),
    });
    return { owner, listener, state, inbox };
  }

  const tell = ({ inbox }: ReturnType<typeof begin>, messages: readonly Message[]): void =>
    messages.forEach((message) => inbox.receive(message));

  test.each([
    ['the kept commit has another id', { commitId: 'other', epoch: 'first' }],
    ['the id of the kept commit is not known', { epoch: 'first' }],
    ['it was kept in another log epoch', { commitId: '1-0-1', epoch: 'before' }],
  ])('handles nothing where %s', async (_, kept) => {
    const begun = begin(kept);
    tell(begun, begun.owner.unsent(0));
    await until(() => begun.state.failed > 5);
    expect(begun.listener.heard[0]).toEqual([]);
  });

  test('handles nothing of messages that name no log epoch, as releases before sent them', async () => {
    const begun = begin({ commitId: '1-0-1', epoch: 'first' });
    tell(
      begun,
      begun.owner.unsent(0).map((message) => JSON.parse(JSON.stringify({ ...message, epoch: undefined })) as Message),
    );
    await until(() => begun.state.failed > 5);
    expect(begun.listener.heard[0]).toEqual([]);
  });

  test('passes over what another log epoch said', async () => {
    const begun = begin({ commitId: '1-0-1', epoch: 'first' });
    const before = new Owner(2, 'before');
    for (const text of ['x', 'y', 'z']) before.commit(0, text);
    tell(begun, [...before.unsent(0), ...begun.owner.unsent(0)]);
    await until(() => begun.listener.heard[0]!.length === 3);
    expect(begun.listener.heard[0]).toEqual(['b', 'c', 'd']);
  });

  test('begins anew when the owner is back with its log in another epoch', async () => {
    const begun = begin({ commitId: '1-0-1', epoch: 'before' }, 'now');
    await until(() => begun.state.failed > 2);
    begun.state.isAway = false;
    await begun.inbox.caughtUp();
    expect([begun.listener.epochs[0], begun.listener.heard[0]]).toEqual([['now'], ['b', 'c', 'd']]);
  });

  test('tries a message again that the consumer could not take, and the ones behind it wait', async () => {
    const begun = begin({ commitId: '1-0-1', epoch: 'first' });
    let failures = 2;
    begun.listener.before = () => {
      if ((failures -= 1) >= 0) throw new Error('not now');
    };
    tell(begun, begun.owner.unsent(0));
    await until(() => begun.listener.heard[0]!.length === 3);
    expect(begun.listener.heard[0]).toEqual(['b', 'c', 'd']);
  });

  test('goes on with what comes later, also when it had begun with the owner', async () => {
    const begun = begin({ commitId: '1-0-1', epoch: 'first' });
    begun.state.isAway = false;
    await begun.inbox.caughtUp();
    begun.state.isAway = true;
    begun.inbox.recheck();
    begun.owner.unsent(0);
    begun.owner.commit(0, 'e');
    tell(begun, begun.owner.unsent(0));
    await until(() => begun.listener.heard[0]!.length === 4);
    expect(begun.listener.heard[0]).toEqual(['b', 'c', 'd', 'e']);
  });
});
