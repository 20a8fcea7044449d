import { clientLimits } from '@lyceum/contracts';
import type { Clock } from '@lyceum/kernel';
import { BadSignatureLimiter } from '@lyceum/oauth';
import { type Policy, addressPartition, perMinute, refuseBeyond, scaled } from '@lyceum/web';
import { type Exchange, type Step, refusing } from '../exchange/exchange.ts';
import { parametersSlot } from '../exchange/parameters.ts';
import { clientAddress } from '../requests/client-address.ts';

/** How often each endpoint answers, before the operator's factor. */
export const policies = {
  register: perMinute('register', clientLimits.register.perMinute),
  registration: perMinute('registration', 60),
  authorize: perMinute('authorize', clientLimits.authorize.perMinute),
  forms: perMinute('forms', 60),
  token: perMinute('token', clientLimits.token.perMinute),
  revoke: perMinute('revoke', clientLimits.revoke.perMinute),
  introspect: perMinute('introspect', clientLimits.introspect.perMinute),
  userinfo: perMinute('userinfo', clientLimits.userinfo.perMinute),
  reset: perMinute('reset', 10),
  signUp: perMinute('sign-up', 10),
  export: perMinute('export', 10),
} as const;

/** As many bad signatures of an address are looked at as there are answers for a person. */
export const forgeriesAt = (clock: Clock, factor: number): BadSignatureLimiter =>
  new BadSignatureLimiter(clock, scaled(policies.userinfo, factor).quota);

/** Counts by what the function finds in the exchange. */
export const limitBy = (policy: Policy, partitionOf: (exchange: Exchange) => readonly string[]): Step =>
  refusing(['rate_limited'], (exchange) => count(exchange, policy, ...partitionOf(exchange)));

/** Counts by the address that the request comes from. */
export const limitByAddress = (policy: Policy): Step => limitBy(policy, (exchange) => [addressOf(exchange)]);

/**
 * Counts by the client that the request names and by address. Before the client is authenticated, so that guessing costs
 * too; the address keeps a stranger from using up what is the client's.
 */
export const limitByClientAndAddress = (policy: Policy): Step =>
  limitBy(policy, (exchange) => [namedClient(exchange), addressOf(exchange)]);

/**
 * Counts by address a request that was refused before any step has counted it: its form could not be read, or no client
 * stood behind it. Gives what to answer with: the refusal, or that there were too many.
 */
export async function countRefused(exchange: Exchange, policy: Policy, refusal: unknown): Promise<unknown> {
  try {
    await count(exchange, policy, 'address', addressOf(exchange));
    return refusal;
  } catch (beyond) {
    return beyond;
  }
}

async function count(exchange: Exchange, policy: Policy, ...partition: readonly string[]): Promise<void> {
  const admission = await exchange.ports.limits.admit(policy, exchange.school.id, ...partition);
  exchange.admissions.push(admission);
  refuseBeyond(admission);
}

/** The partition of the address that a request comes from. */
export const addressOf = (exchange: Exchange): string => addressPartition(clientAddress(exchange.request));

/** Longest id that is counted by: issued ids are shorter, and a counter must not store what a request sends. */
const longestId = 200;

/** The client as the request names it, in the body or by HTTP Basic; empty when it does not. */
function namedClient(exchange: Exchange): string {
  const [, basic] = /^basic\s+(\S+)$/i.exec(exchange.request.headers.authorization ?? '') ?? [];
  const user = basic === undefined ? undefined : Buffer.from(basic, 'base64').toString().split(':', 1)[0];
  return (exchange.require(parametersSlot).get('client_id') ?? user ?? '').slice(0, longestId);
}
