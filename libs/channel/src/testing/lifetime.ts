import { expect, test } from '@jest/globals';
import { ChannelClosed } from '../port.ts';
import { Listener, Owner } from './owner.ts';
import { type Open, deferred, heard, started } from './start.ts';

/** Late offers, history, restarts and closing. */
export function testLifetime(open: Open): void {
  test('a subscription reads the history from its watermark, page by page', async () => {
    const channel = await open();
    const owner = new Owner();
    for (let index = 0; index < 450; index += 1) owner.commit(0, index % 3 ? `${index}` : '-');
    owner.offerTo(channel);
    const listener = new Listener([7, 0]);
    await channel.subscribe(listener).caughtUp();
    expect(listener.heard[0]).toEqual(owner.texts(0, 7));
  });

  test('a subscription made before the source is offered waits for the offer', async () => {
    const channel = await open();
    const owner = new Owner();
    owner.commit(0, 'a');
    const listener = new Listener();
    const caughtUp = channel.subscribe(listener).caughtUp();
    expect(await Promise.race([caughtUp, new Promise((resolve) => setTimeout(resolve, 20, 'waits'))])).toBe('waits');
    owner.offerTo(channel);
    await caughtUp;
    expect(listener.heard[0]).toEqual(['a']);
    owner.commit(0, 'b');
    owner.commit(0, 'c');
    await owner.publishTo(channel);
    expect(await heard(listener, 3)).toEqual(['a', 'b', 'c']);
  });

  test('catching up covers what was never published', async () => {
    const { owner, listener, subscribed } = await started(open);
    owner.commit(0, 'a');
    owner.commit(1, 'b');
    await subscribed.caughtUp();
    expect(listener.heard).toEqual([['a'], ['b']]);
  });

  test('after closing, a consumer goes on from the watermark that it kept', async () => {
    const { channel, owner, listener, subscribed } = await started(open);
    owner.commit(0, 'a');
    await subscribed.caughtUp();
    await subscribed.close();
    owner.commit(0, 'b');
    await owner.publishTo(channel);
    await expect(subscribed.caughtUp()).rejects.toThrow(ChannelClosed);
    expect(listener.heard[0]).toEqual(['a']);
    const again = new Listener([1, 0]);
    await channel.subscribe(again).caughtUp();
    expect(again.heard[0]).toEqual(['b']);
  });

  test('closing waits for the message in hand and handles none after it', async () => {
    const { channel, owner, listener } = await started(open);
    const release = deferred();
    const reached = deferred();
    listener.before = async () => {
      reached.resolve(undefined);
      await release.promise;
    };
    for (const text of ['a', 'b']) owner.commit(0, text);
    await owner.publishTo(channel);
    await reached.promise;
    const closed = channel.close();
    release.resolve(undefined);
    await closed;
    expect(listener.heard[0]).toEqual(['a']);
    await expect(channel.publish(owner.unsent(0))).rejects.toThrow(ChannelClosed);
  });

  test('C17: an owner that comes back in another life of its log is followed from the place in that life', async () => {
    const channel = await open();
    const before = new Owner(2, 'first');
    for (const text of ['a', 'b', 'c']) before.commit(0, text);
    before.offerTo(channel);
    const listener = new Listener();
    const subscribed = channel.subscribe(listener);
    await subscribed.caughtUp();
    const after = new Owner(2, 'second');
    for (const text of ['a', 'B', 'C', 'D']) after.commit(0, text);
    after.offerTo(channel);
    expect(await heard(listener, 7)).toEqual(['a', 'b', 'c', 'a', 'B', 'C', 'D']);
    expect(listener.epochs).toEqual([
      ['first', 'second'],
      ['first', 'second'],
    ]);
    after.offerTo(channel);
    await subscribed.caughtUp();
    expect(listener.epochs[0]).toHaveLength(2);
  });

  test('an owner whose log was replaced by an older copy that grew is not followed on, but from the beginning', async () => {
    const { channel, owner, listener, subscribed } = await started(open);
    for (const text of ['a', 'b', 'c']) owner.commit(0, text);
    await owner.publishTo(channel);
    expect(await heard(listener, 3)).toEqual(['a', 'b', 'c']);
    const forgotten: number[] = [];
    listener.diverged = (lane) => void forgotten.push(lane);
    owner.restore(0, 1);
    // The message before which the difference lies may have no facts, so the chain of positions shows nothing.
    for (const text of ['-', 'C', 'D']) owner.commit(0, text);
    await owner.publishTo(channel);
    expect(await heard(listener, 6)).toEqual(['a', 'b', 'c', 'a', 'C', 'D']);
    expect(forgotten).toEqual([0]);
    expect(listener.epochs[1]).toHaveLength(2);
    await subscribed.caughtUp();
    owner.restore(0, 3);
    owner.commit(0, '-');
    await subscribed.caughtUp();
    expect(forgotten).toEqual([0, 0]);
    expect(listener.heard[0]).toEqual(['a', 'b', 'c', 'a', 'C', 'D', 'a', 'C']);
  });

  test('a subscription without a way to forget its watermark begins the lane anew', async () => {
    const channel = await open();
    const owner = new Owner();
    for (const text of ['a', 'b', 'c']) owner.commit(0, text);
    owner.offerTo(channel);
    const listener = new Listener([2, 0]);
    const from = async (lane: number) => (lane === 0 ? { position: 2, commitId: 'of another history' } : 0);
    await channel.subscribe({ consumer: 'plain', source: 'owner', from, handle: (m) => listener.handle(m) }).caughtUp();
    expect(listener.heard[0]).toEqual(['a', 'b', 'c']);
  });

  test('closing ends the wait for a source that never came', async () => {
    const channel = await open();
    const caughtUp = channel.subscribe(new Listener()).caughtUp();
    await Promise.all([expect(caughtUp).rejects.toThrow(ChannelClosed), channel.close()]);
  });
}
