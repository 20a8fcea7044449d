import { emailKey } from '../accounts/email.ts';
import type { Exchange } from '../endpoint/exchange.ts';
import { clientAddress } from '../endpoint/client-address.ts';

const minute = 60_000;

interface Limit {
  /** What is counted, without its numbers. */
  readonly key: string;
  readonly free: number;
  /** Milliseconds in which failures add up. */
  readonly window: number;
}

async function limitsOf(exchange: Exchange, email: string): Promise<readonly Limit[]> {
  const address = clientAddress(exchange.request);
  const { limitFactor, vault } = exchange.ports;
  const key = await emailKey(vault, exchange.school.id, email);
  const at = `${exchange.school.id}:sign-in`;
  return [
    { key: `${at}:${key}:${address}`, free: 5 * limitFactor, window: 15 * minute },
    { key: `${at}:${address}`, free: 100 * limitFactor, window: 60 * minute },
  ];
}

/** Seconds that this account has to wait at this address before its next attempt; 0 = none. */
export async function waitBefore(exchange: Exchange, email: string): Promise<number> {
  const { ephemeral, clock } = exchange.ports;
  const waits = (await limitsOf(exchange, email)).map(async ({ key }) => {
    const until = await ephemeral.get(`${key}:wait`);
    return until === undefined ? 0 : Math.ceil((Number(until) - clock.now()) / 1000);
  });
  return Math.max(0, ...(await Promise.all(waits)));
}

/**
 * Counts a failed attempt, for accounts that exist and those that do not alike. Returns the seconds to wait that follow:
 * none for the first five in 15 minutes per account and address (100 in an hour per address), then 1, 2, 4 … up to the
 * rest of the window.
 */
export async function noteFailure(exchange: Exchange, email: string): Promise<number> {
  const { ephemeral, clock } = exchange.ports;
  let longest = 0;
  for (const { key, free, window } of await limitsOf(exchange, email)) {
    const { count, ttl } = await ephemeral.increment(`${key}:count`, window);
    if (count <= free) continue;
    const wait = Math.max(1000, Math.min(1000 * 2 ** Math.min(count - free - 1, 20), ttl));
    await ephemeral.putIfAbsent(`${key}:wait`, String(clock.now() + wait), Math.ceil(wait));
    longest = Math.max(longest, wait);
  }
  return Math.ceil(longest / 1000);
}
