import { expect, test } from '@jest/globals';
import { Listener } from './owner.ts';
import { type Open, heard, started } from './start.ts';

/** What a channel without trouble does. */
export function testDelivery(open: Open): void {
  test('what is published is handled once, in order, on each lane', async () => {
    const { channel, owner, listener } = await started(open);
    for (const text of ['a', 'b', 'c']) {
      owner.commit(0, text, `${text}2`);
      owner.commit(1, `other ${text}`);
      await owner.publishTo(channel);
    }
    expect(await heard(listener, 6)).toEqual(['a', 'a2', 'b', 'b2', 'c', 'c2']);
  });

  test('a message carries the facts, the tenant and the time of its commit, and nothing private', async () => {
    const { channel, owner, listener } = await started(open);
    owner.commit(0, '-secret', 'open 😀');
    await owner.publishTo(channel);
    await heard(listener, 1);
    expect(listener.messages).toEqual([
      {
        source: 'owner',
        lane: 0,
        position: 1,
        previous: 0,
        commitId: '1-0-1',
        tenant: 'school',
        at: '2026-01-05T08:00:00.000Z',
        facts: [{ id: '0-1-1', type: 'Said', schema: 1, subject: 'talk-1', version: 1, data: { text: 'open 😀' } }],
      },
    ]);
  });

  test('no object is shared between the sides', async () => {
    const { channel, owner, listener } = await started(open);
    owner.commit(0, 'a');
    const messages = owner.unsent(0);
    await channel.publish(messages);
    await heard(listener, 1);
    expect(listener.messages[0]).toEqual(messages[0]);
    expect(listener.messages[0]).not.toBe(messages[0]);
    expect(listener.messages[0]!.facts[0]!.data).not.toBe(messages[0]!.facts[0]!.data);
  });

  test('positions without facts are no gap: nothing is read from the owner', async () => {
    const { channel, owner, listener } = await started(open);
    const { reads } = owner;
    for (const text of ['-', 'a', '-', '-', 'b']) owner.commit(0, text);
    await owner.publishTo(channel);
    expect(await heard(listener, 2)).toEqual(['a', 'b']);
    expect(owner.reads).toBe(reads);
  });

  test('who begins where the lanes end now gets news only, and reads nothing of what was before', async () => {
    const { channel, owner } = await started(open);
    owner.commit(0, 'before', '-');
    owner.commit(1, 'before');
    await owner.publishTo(channel);
    const news = new Listener([0, 0], 'news');
    news.from = async (_lane, _epoch, head) => head!;
    const following = channel.subscribe(news);
    await following.caughtUp();
    owner.commit(0, 'news');
    await owner.publishTo(channel);
    await heard(news, 1);
    expect(news.heard).toEqual([['news'], []]);
  });

  test('two consumers each get everything', async () => {
    const { channel, owner, listener } = await started(open);
    const second = new Listener([0, 0], 'second');
    channel.subscribe(second);
    owner.commit(0, 'a');
    await owner.publishTo(channel);
    expect(await heard(listener, 1)).toEqual(['a']);
    expect(await heard(second, 1)).toEqual(['a']);
  });
}
