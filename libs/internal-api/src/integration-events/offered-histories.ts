import type { Channel, History } from '@lyceum/channel';

/** A channel that remembers what was offered through it. */
export interface RememberingChannel {
  readonly channel: Channel;
  /** The facts of a source of this process; undefined until it is offered. */
  history(source: string): History | undefined;
}

/** The same channel, and beside it the histories of this process, for those who ask from outside. */
export function rememberOffers(channel: Channel): RememberingChannel {
  const offers = new Map<string, History>();
  return {
    channel: {
      offer(source, lanes, backfill, heads) {
        channel.offer(source, lanes, backfill, heads);
        offers.set(source, { lanes, backfill, ...(heads && { heads }) });
      },
      publish: (messages) => channel.publish(messages),
      subscribe: (subscription) => channel.subscribe(subscription),
      close: () => channel.close(),
    },
    history: (source) => offers.get(source),
  };
}
