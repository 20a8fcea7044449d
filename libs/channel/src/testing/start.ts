import type { Channel } from '../port.ts';
import { Listener, Owner } from './owner.ts';

/** Opens a new channel that is closed after the test. */
export type Open = () => Promise<Channel>;

/** An owner and a listener that has caught up with it. */
export async function started(open: Open, listener = new Listener()) {
  const channel = await open();
  const owner = new Owner();
  owner.offerTo(channel);
  const subscribed = channel.subscribe(listener);
  await subscribed.caughtUp();
  return { channel, owner, listener, subscribed };
}

/** Waits until what is published alone has brought so many texts of lane 0. */
export async function heard(listener: Listener, count: number): Promise<readonly string[]> {
  for (const end = Date.now() + 5_000; listener.heard[0]!.length < count && Date.now() < end;)
    await new Promise((resolve) => setTimeout(resolve, 2));
  return listener.heard[0]!;
}

/** A promise and the way to resolve it. */
export function deferred(): { promise: Promise<unknown>; resolve: (value: unknown) => void } {
  let resolve!: (value: unknown) => void;
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}
