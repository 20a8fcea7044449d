import { addressNetwork, addressPartition } from '@lyceum/web';
import { emailKey } from '../domain/accounts/email-key.ts';
import type { Exchange } from '../http/exchange/exchange.ts';
import { clientAddress } from '../http/requests/client-address.ts';
import { isKnownDevice } from './device-cookie.ts';

const minute = 60_000;
/** Where the keys of other counts have the school: an address is the same at all of them. */
const everywhere = '_all:sign-in';

interface Limit {
  /** What is counted, without its numbers. */
  readonly key: string;
  readonly free: number;
  /** Milliseconds in which failures add up. */
  readonly window: number;
  /** The longest wait, in milliseconds; up to the rest of the window when not given. */
  readonly longest?: number;
}

async function limitsOf(exchange: Exchange, email: string): Promise<readonly Limit[]> {
  const { limitFactor, vault } = exchange.ports;
  const from = clientAddress(exchange.request);
  const [address, network] = [addressPartition(from), addressNetwork(from)];
  const key = await emailKey(vault, exchange.school.id, email);
  const at = `${exchange.school.id}:sign-in`;
  const isKnown = await isKnownDevice(exchange, email);
  return [
    { key: `${at}:${key}:${address}`, free: 5 * limitFactor, window: 15 * minute },
    ...(isKnown
      ? []
      : [{ key: `${at}:${key}:anywhere`, free: 50 * limitFactor, window: 60 * minute, longest: minute }]),
    { key: `${at}:${address}`, free: 100 * limitFactor, window: 60 * minute },
    { key: `${everywhere}:${address}`, free: 300 * limitFactor, window: 60 * minute },
    ...(network === undefined
      ? []
      : [{ key: `${everywhere}:${network}`, free: 1_000 * limitFactor, window: 60 * minute }]),
  ];
}

/** Whether a password may be tried now. */
export type Permission =
  /** Not before so many seconds have passed. */
  | { readonly wait: number }
  /** `wait`: seconds that the next attempt has to wait if this one fails. `succeeded` takes all of it back. */
  | { readonly wait: number; succeeded(): Promise<void> };

/**
 * Counts an attempt before it is made, for accounts that exist and those that do not alike: attempts side by side cannot
 * outrun their count. Five failures in 15 minutes per account and address, and in an hour a hundred per address, three
 * hundred per address over all schools and a thousand per IPv6 network (/48), are free; each further attempt imposes a wait before the next: 1, 2, 4 … seconds up to the rest of the window.
 *
 * Fifty an hour are free per account over all addresses; beyond, browsers in which nobody has signed in to the account
 * before share a wait of a minute at most, so that a botnet makes sixty guesses an hour and yet locks nobody out.
 */
export async function beginAttempt(exchange: Exchange, email: string): Promise<Permission> {
  const limits = await limitsOf(exchange, email);
  const standing = Math.max(...(await Promise.all(limits.map(({ key }) => currentWait(exchange, key)))));
  if (standing > 0) return { wait: standing };
  const counted: Counted[] = [];
  const takeBack = async () => void (await Promise.all(counted.map((each) => each.takeBack())));
  for (const limit of limits) {
    const one = await count(exchange, limit);
    counted.push(one);
    if (one.isAllowed) continue;
    await takeBack();
    return { wait: one.wait };
  }
  return { wait: Math.max(...counted.map(({ wait }) => wait)), succeeded: takeBack };
}

/** Seconds. */
async function currentWait({ ports: { ephemeral, clock } }: Exchange, key: string): Promise<number> {
  const until = await ephemeral.get(`${key}:wait`);
  return until === undefined ? 0 : Math.ceil((Number(until) - clock.now()) / 1000);
}

interface Counted {
  readonly isAllowed: boolean;
  /** Seconds. */
  readonly wait: number;
  takeBack(): Promise<unknown>;
}

/** Beyond the free attempts, only the attempt that sets the next wait is made; those at the same moment wait. */
async function count(exchange: Exchange, { key, free, window, longest = window }: Limit): Promise<Counted> {
  const { ephemeral, clock } = exchange.ports;
  const { count: tries, ttl } = await ephemeral.increment(`${key}:count`, window);
  const uncount = () => ephemeral.increment(`${key}:count`, window, -1);
  if (tries <= free) return { isAllowed: true, wait: 0, takeBack: uncount };
  const imposed = Math.max(1000, Math.min(1000 * 2 ** Math.min(tries - free - 1, 20), ttl, longest));
  const until = String(clock.now() + imposed);
  const isAllowed = await ephemeral.putIfAbsent(`${key}:wait`, until, Math.ceil(imposed));
  const takeBack = () => Promise.all([uncount(), isAllowed && ephemeral.compareAndDelete(`${key}:wait`, until)]);
  const wait = isAllowed ? Math.ceil(imposed / 1000) : Math.max(1, await currentWait(exchange, key));
  return { isAllowed, wait, takeBack };
}
