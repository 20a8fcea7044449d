import { expect, test } from '@jest/globals';
import { Listener, Owner } from './owner.ts';
import { type Open, deferred, heard, started } from './start.ts';

/** Loss, repetition and failures on either side. */
export function testTrouble(open: Open, errors: readonly unknown[]): void {
  test('duplicates and rewinds are dropped', async () => {
    const { channel, owner, listener } = await started(open);
    for (const text of ['a', 'b', 'c']) owner.commit(0, text);
    const messages = owner.unsent(0);
    for (const batch of [messages.slice(0, 2), messages.slice(0, 1), messages, messages]) await channel.publish(batch);
    owner.commit(0, 'd');
    await owner.publishTo(channel);
    expect(await heard(listener, 4)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('a lost message is noticed by the next one and read from the owner', async () => {
    const { channel, owner, listener } = await started(open);
    for (const text of ['a', 'b', '-', 'c']) owner.commit(0, text);
    const messages = owner.unsent(0);
    await channel.publish([messages[0]!, messages[2]!]);
    expect(await heard(listener, 3)).toEqual(['a', 'b', 'c']);
  });

  test('a message that outruns the owner’s history waits until the history connects', async () => {
    const { channel, owner, listener } = await started(open);
    const orphan = { source: 'owner', lane: 0, position: 2, previous: 1, tenant: 'school', at: '', facts: [] };
    await channel.publish([orphan]);
    for (const end = Date.now() + 5_000; errors.length === 0 && Date.now() < end;)
      await new Promise((resolve) => setTimeout(resolve, 2));
    expect(String(errors[0])).toContain('lane 0');
    owner.commit(0, 'a');
    owner.commit(0, 'b');
    expect(await heard(listener, 2)).toEqual(['a', 'b']);
  });

  test('a handler that fails is asked again; later messages of the lane wait, other lanes go on', async () => {
    const listener = new Listener();
    const { channel, owner, subscribed } = await started(open, listener);
    let failures = 0;
    const release = deferred();
    listener.before = async ({ lane, position }) => {
      if (lane !== 0 || position !== 1) return;
      failures += 1;
      if (failures < 4) throw new Error(`failure ${failures}`);
      await release.promise;
    };
    for (const text of ['a', 'b']) owner.commit(0, text);
    owner.commit(1, 'other');
    await owner.publishTo(channel);
    for (const end = Date.now() + 5_000; listener.heard[1]!.length === 0 && Date.now() < end;)
      await new Promise((resolve) => setTimeout(resolve, 2));
    expect(listener.heard).toEqual([[], ['other']]);
    release.resolve(undefined);
    await subscribed.caughtUp();
    expect(listener.heard[0]).toEqual(['a', 'b']);
    expect(errors.map(String)).toEqual(['Error: failure 1', 'Error: failure 2', 'Error: failure 3']);
  });

  test('an owner whose history cannot be read is asked again', async () => {
    const channel = await open();
    const owner = new Owner();
    owner.commit(0, 'a');
    let broken = 3;
    channel.offer('owner', 2, async (...args) => {
      broken -= 1;
      if (broken >= 0) throw new Error('unreachable');
      return owner.backfill(...args);
    });
    const listener = new Listener();
    await channel.subscribe(listener).caughtUp();
    expect(listener.heard[0]).toEqual(['a']);
  });
}
