import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { faultyChannel } from './faulty.ts';
import { Listener, Owner } from './owner.ts';
import type { Open } from './start.ts';

/** Random commits through a channel with random faults. */
export function testAnyFaults(open: Open, runs: number): void {
  const step = fc.record({
    lane: fc.nat(1),
    texts: fc.array(fc.constantFrom('-', 'x', 'y'), { maxLength: 3 }),
    publish: fc.boolean(),
    pause: fc.boolean(),
  });
  const chance = fc.constantFrom(0, 0.2, 0.6);
  const faults = fc.record({ seed: fc.nat(), drop: chance, duplicate: chance, rewind: chance, delay: chance });

  test('whatever the channel loses, repeats, rewinds, delays, and whenever the handler fails, the owner’s sequence is applied', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), faults, fc.nat(5), async (steps, given, every) => {
        const channel = faultyChannel(await open(), given);
        const owner = new Owner();
        const listener = new Listener();
        let tries = 0;
        listener.before = () => {
          tries += 1;
          if (every > 1 && tries % every === 0) throw new Error('now and then');
        };
        owner.offerTo(channel);
        const subscribed = channel.subscribe(listener);
        for (const [index, { lane, texts, publish, pause }] of steps.entries()) {
          owner.commit(lane, ...texts.map((text) => (text === '-' ? '-' : `${text}${index}`)));
          if (publish) await owner.publishTo(channel);
          if (pause) await new Promise((resolve) => setImmediate(resolve));
        }
        await subscribed.caughtUp();
        expect(listener.heard).toEqual([owner.texts(0), owner.texts(1)]);
        await channel.close();
      }),
      { numRuns: runs },
    );
  });
}
