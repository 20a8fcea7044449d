import { expect, test } from '@jest/globals';
import { ChannelClosed } from './port.ts';
import { Listener, Owner } from './testing-owner.ts';
import { type Open, deferred, heard, started } from './testing-start.ts';

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
    expect(listener.lives).toEqual([
      ['first', 'second'],
      ['first', 'second'],
    ]);
    after.offerTo(channel);
    await subscribed.caughtUp();
    expect(listener.lives[0]).toHaveLength(2);
  });

  test('closing ends the wait for a source that never came', async () => {
    const channel = await open();
    const caughtUp = channel.subscribe(new Listener()).caughtUp();
    await Promise.all([expect(caughtUp).rejects.toThrow(ChannelClosed), channel.close()]);
  });
}
