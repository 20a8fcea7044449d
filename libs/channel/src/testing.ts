import { afterEach, describe } from '@jest/globals';
import type { Channel } from './port.ts';
import { testDelivery } from './testing/delivery.ts';
import { testAnyFaults } from './testing/faults.ts';
import { testLifetime } from './testing/lifetime.ts';
import { testOwnerAway } from './testing/owner-away.ts';
import { testTrouble } from './testing/trouble.ts';

export { type Faults, faultyChannel } from './testing/faulty.ts';

/** What the suite asks of a channel that it opens. */
export interface ChannelOptions {
  readonly backoff: (failures: number) => number;
  readonly onError: (error: unknown) => void;
}

/**
 * The conformance suite of `Channel`: every adapter passes it. `open` gives a new channel without sources and
 * subscribers. `runs`: how many random histories are tried, 100 when not given.
 */
export function testChannel(
  name: string,
  open: (options: ChannelOptions) => Promise<Channel>,
  { runs = 100 }: { readonly runs?: number } = {},
): void {
  const channels: Channel[] = [];
  const errors: unknown[] = [];
  const opened = async (): Promise<Channel> => {
    const channel = await open({ backoff: () => 1, onError: (error) => errors.push(error) });
    channels.push(channel);
    return channel;
  };
  afterEach(async () => {
    await Promise.all(channels.splice(0).map((channel) => channel.close()));
    errors.length = 0;
  });

  describe(`channel: ${name}`, () => {
    testDelivery(opened);
    testTrouble(opened, errors);
    testLifetime(opened);
    testOwnerAway(opened);
    testAnyFaults(opened, runs);
  });
}
