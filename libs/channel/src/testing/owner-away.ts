import { expect, test } from '@jest/globals';
import type { Channel } from '../port.ts';
import { Listener, Owner } from './owner.ts';
import { type Open, heard } from './start.ts';

/** An owner whose log others cannot ask, though it goes on telling. */
class AwayOwner extends Owner {
  isAway = true;

  override offerTo(channel: Channel): void {
    const asked = <T>(answer: () => Promise<T>): Promise<T> =>
      this.isAway ? Promise.reject(new Error('the owner is away')) : answer();
    channel.offer(
      this.source,
      this.lanes,
      (...range) => asked(() => this.backfill(...range)),
      () => asked(() => this.heads()),
    );
  }
}

/** A start while the owner cannot be asked. */
export function testOwnerAway(open: Open): void {
  test('E-C8: who starts while the owner is away handles what follows the kept watermark, and the rest when it is back', async () => {
    const channel = await open();
    const owner = new AwayOwner(2, 'first');
    for (const text of ['a', 'b', '-', 'c']) owner.commit(0, text);
    owner.offerTo(channel);
    const listener = new Listener([1, 0]);
    const kept = [{ position: 1, commitId: '1-0-1' }, { position: 0 }];
    listener.kept = async (lane) => ({ at: kept[lane]!, epoch: 'first' });
    const subscribed = channel.subscribe(listener);
    await owner.publishTo(channel);
    expect(await heard(listener, 2)).toEqual(['b', 'c']);
    // Before the last one something is missing.
    for (const text of ['d', 'e']) owner.commit(0, text);
    await channel.publish(owner.unsent(0).slice(1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(listener.heard[0]).toEqual(['b', 'c']);
    owner.isAway = false;
    await subscribed.caughtUp();
    expect(listener.heard[0]).toEqual(['b', 'c', 'd', 'e']);
    // Nobody was asked to begin: the log is in the epoch that was kept.
    expect(listener.epochs[0]).toEqual([]);
  });
}
