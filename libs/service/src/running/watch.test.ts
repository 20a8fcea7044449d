import { expect, test } from '@jest/globals';
import type { Channel, Subscription } from '@lyceum/channel';
import { Watch } from './watch.ts';

test('a lane that went to another process is not told of any more, and again when it comes back', async () => {
  let lanes = [0, 1];
  let given: Subscription | undefined;
  const watch = new Watch();
  const channel = {
    subscribe(subscription: Subscription) {
      given = subscription;
      return { lanes: () => lanes, caughtUp: async () => undefined, close: async () => undefined };
    },
  } as Partial<Channel> as Channel;
  const subscribed = watch.through(channel).subscribe({
    consumer: 'catalog.members',
    source: 'school',
    mode: 'shared',
    from: async () => 7,
    handle: async () => undefined,
  });
  for (const lane of lanes) await given!.from(lane);
  expect(watch.consumers().map(({ lane, watermark }) => [lane, watermark])).toEqual([
    [0, 7],
    [1, 7],
  ]);
  lanes = [1];
  // Whoever waits for all lanes asks for this one too, wherever it is.
  await given!.from(0);
  expect(watch.consumers().map(({ lane }) => lane)).toEqual([1]);
  lanes = [0, 1];
  expect(watch.consumers()).toHaveLength(2);
  await subscribed.close();
  expect(watch.consumers()).toEqual([]);
});
