import type { IncomingMessage } from 'node:http';
import { apiLimits } from '@lyceum/contracts';
import type { Clock } from '@lyceum/kernel';
import { Forgeries, InvalidToken, TokenInQuery, TooManyForgeries, type Verifier, bearerToken } from '@lyceum/oauth';
import { type Admission, addressPartition, perMinute, scaled } from '@lyceum/web';
import { countIn } from './counting.ts';
import { QuotaTable, type Quotas } from './quota-table.ts';

/** What the limits are kept with. */
export interface LimitOptions {
  readonly clock: Clock;
  readonly verifier: Verifier;
  /** Whether tokens can be judged already. */
  readonly isTrustKnown: () => boolean;
  /** Multiplies every quota. */
  readonly factor: number;
  /** Where quotas of `countedFor` milliseconds are counted; in the memory of this process when not given. */
  readonly quotas?: Quotas;
}

/** The window of every limit of the edge, milliseconds. */
export const countedFor = 60_000;

const strangers = perMinute('anonymous', apiLimits.anonymous.perMinute);

/** As many bad signatures of an address are looked at as requests without a token, whichever school they are for. */
export const forgeriesAt = (clock: Clock, factor: number): Forgeries =>
  new Forgeries(clock, scaled(strangers, factor).quota);

/** Counts requests, each for whom it comes from. */
export interface RequestLimits {
  /** What the limit says to a request of a school; a promise only where a token has to be judged, or others asked. Never rejects. */
  admit(request: IncomingMessage, school: string, address: string): Admission | Promise<Admission>;
}

/** Services that count by themselves what comes to them, endpoint by endpoint or method by method. */
const counting = new Set(['auth', 'mcp']);

/** What of theirs is API as any other. */
const isApi = (path: string): boolean => path.startsWith('/api/account');

/** Whether the edge counts a request to a service. A preflight is no request of its own: refused, it would refuse the one behind it. */
export const isCounted = (service: string, path: string, { method, headers }: IncomingMessage): boolean =>
  (!counting.has(service) || isApi(path)) && !(method === 'OPTIONS' && 'access-control-request-method' in headers);

/**
 * Limits by school: a good token counts for its client and person, everything else for the address it comes from. The
 * token is judged, once for all its uses, and not only read: by claims that anybody can write, a stranger could use up
 * what is another person's; by a hash of whatever is sent, every made-up token would have a quota of its own. A bad token
 * counts as no token.
 */
export function requestLimits(options: LimitOptions): RequestLimits {
  const { clock, verifier, isTrustKnown, factor, quotas = new QuotaTable(clock, countedFor) } = options;
  const api = scaled(perMinute('api', apiLimits.token.perMinute), factor);
  const anonymous = scaled(strangers, factor);

  const take = countIn(quotas);
  // Keys begin with the school, and differ: no address begins with a bracket.
  const stranger = (school: string, address: string) => take(anonymous, `${school} ${addressPartition(address)}`);

  async function bearer(token: string, school: string, address: string): Promise<Admission> {
    try {
      const use = { school, audiences: 'any', from: addressPartition(address) } as const;
      const { client, subject } = await verifier.verify(token, use);
      return await take(api, `${school} ${JSON.stringify([client, subject])}`);
    } catch (error) {
      if (error instanceof InvalidToken) return await stranger(school, address);
      if (error instanceof TooManyForgeries)
        return { outcome: 'refused', policy: anonymous, left: 0, wait: error.wait };
      return { outcome: 'unknown', policy: api };
    }
  }

  return {
    admit(request, school, address) {
      const token = tokenOf(request);
      if (token === undefined) return stranger(school, address);
      return isTrustKnown() ? bearer(token, school, address) : { outcome: 'unknown', policy: api };
    },
  };
}

/** What a service would take for a token; undefined also for what it will refuse. */
function tokenOf(request: IncomingMessage): string | undefined {
  try {
    return bearerToken(request);
  } catch (error) {
    if (error instanceof InvalidToken || error instanceof TokenInQuery) return undefined;
    throw error;
  }
}
