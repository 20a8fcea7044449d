import type { IncomingMessage } from 'node:http';
import { apiLimits, mediaPaths, webhookPath } from '@lyceum/contracts';
import type { Taken } from '@lyceum/ephemeral';
import type { Clock } from '@lyceum/kernel';
import {
  BadSignatureLimiter,
  InvalidToken,
  TokenInQuery,
  TooManyForgeries,
  type Verifier,
  bearerToken,
} from '@lyceum/oauth';
import { type Admission, type Policy, addressNetwork, addressPartition, perMinute, scaled } from '@lyceum/web';
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

/** Files, which have no token: a page shows many at once, and a player asks for part after part. */
const files = perMinute('files', 1_200);
const filePaths = Object.values(mediaPaths).map((path) => `${path}/`);
const isOfFile = (url: string): boolean => url.startsWith('/media/') && filePaths.some((path) => url.startsWith(path));

/** What payment providers send, of all schools from a few addresses: it is signed, and what is not is refused at once. */
const webhooks = perMinute('webhooks', 3_000);
const isWebhook = (url: string): boolean => url.startsWith(`${webhookPath}/`);

/** Everything that an address asks of the authorization server, of whichever school, and all addresses of its network. */
const authPerAddress = perMinute('address', 1_200);
const authPerNetwork = perMinute('network', 12_000);
/** Stands where the keys of other counts have the school. */
const allSchools = '_all';

/** As many bad signatures of an address are looked at as requests without a token, whichever school they are for. */
export const forgeriesAt = (clock: Clock, factor: number): BadSignatureLimiter =>
  new BadSignatureLimiter(clock, scaled(strangers, factor).quota);

/** Counts requests, each for whom it comes from. */
export interface RequestLimits {
  /** What the limit says to a request of a school; a promise only where a token has to be judged, or others asked. Never rejects. */
  admit(request: IncomingMessage, school: string, address: string): Admission | Promise<Admission>;
  /**
   * What the limit says to a request to the authorization server, which counts by school and client itself: here an
   * address counts over all clients and all schools, and so does the network of an IPv6 address. Never rejects.
   */
  admitToAuth(address: string): Admission | Promise<Admission>;
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
  const ofFiles = scaled(files, factor);
  const ofWebhooks = scaled(webhooks, factor);
  const everywhere = scaled(authPerAddress, factor);
  const everywhereOfNetwork = scaled(authPerNetwork, factor);

  const take = countIn(quotas);
  // Keys begin with the school, and differ: no address begins with a bracket.
  const stranger = (school: string, address: string, cost: number) =>
    take(anonymous, `${school} ${addressPartition(address)}`, cost);

  async function bearer(token: string, school: string, address: string, cost: number): Promise<Admission> {
    try {
      const use = { school, audiences: 'any', from: addressPartition(address) } as const;
      const { client, subject } = await verifier.verify(token, use);
      return await take(api, `${school} ${JSON.stringify([client, subject])}`, cost);
    } catch (error) {
      if (error instanceof InvalidToken) return await stranger(school, address, cost);
      if (error instanceof TooManyForgeries)
        return { outcome: 'refused', policy: anonymous, left: 0, wait: error.wait };
      return { outcome: 'unknown', policy: api };
    }
  }

  return {
    admit(request, school, address) {
      const { url = '' } = request;
      if (isOfFile(url)) return take(ofFiles, `${school} files ${addressPartition(address)}`);
      if (isWebhook(url)) return take(ofWebhooks, `${school} webhooks ${addressPartition(address)}`);
      const token = tokenOf(request);
      const cost = costOf(url);
      if (token === undefined) return stranger(school, address, cost);
      return isTrustKnown() ? bearer(token, school, address, cost) : { outcome: 'unknown', policy: api };
    },
    admitToAuth(address) {
      const network = addressNetwork(address);
      const own = take(everywhere, `${allSchools} ${addressPartition(address)}`);
      if (network === undefined) return own;
      const all = take(everywhereOfNetwork, `${allSchools} ${network}`);
      if (own instanceof Promise || all instanceof Promise)
        return Promise.all([own, all]).then(([a, b]) => stricter(a, b));
      return stricter(own, all);
    },
  };
}

/** Calls of tools and everything else, by one address or one person of one client. */
const calls = perMinute('mcp', 300);

/** Counts messages to the MCP server of a school, by their cost, for whom they come from; a promise only where others have to be asked. */
export type McpLimit = (school: string, from: readonly string[], cost?: number) => Admission | Promise<Admission>;

/** The limit of the MCP server, beside those of the API in the same quotas. `factor` multiplies it. */
export function mcpLimit(quotas: Quotas, factor: number): McpLimit {
  const policy = scaled(calls, factor);
  const count = countIn(quotas);
  // Keys of the API go on with an address or a bracket.
  return (school, from, cost) => count(policy, `${school} mcp ${JSON.stringify(from)}`, cost);
}

/**
 * Counts a request under a key, which begins with the school, as so many as it costs (1 when not given); a promise only
 * where others have to be asked. Never rejects.
 */
type Count = (policy: Policy, key: string, cost?: number) => Admission | Promise<Admission>;

/** Counts in quotas, whose window is that of the policies. */
const countIn =
  (quotas: Quotas): Count =>
  (policy, key, cost = 1) => {
    // A quota that is smaller than a cost lets such a request through when it is whole.
    const taken = take(quotas, key, policy.quota, Math.min(cost, policy.quota));
    return taken instanceof Promise ? taken.then((each) => admission(policy, each)) : admission(policy, taken);
  };

/** Takes unit by unit. A request that finds the quota empty in between is refused, and its units stay taken. */
function take(quotas: Quotas, key: string, quota: number, units: number): ReturnType<Quotas['take']> {
  let taken: Taken | undefined;
  for (let unit = 0; unit < units; unit += 1) {
    const taking = quotas.take(key, quota);
    if (taking instanceof Promise) return rest(taking, quotas, key, quota, units - unit - 1);
    taken = taking;
    if (!taken?.taken) return taken;
  }
  return taken;
}

async function rest(taking: Promise<Taken | undefined>, quotas: Quotas, key: string, quota: number, units: number) {
  const taken = await taking;
  return units === 0 || !taken?.taken ? taken : take(quotas, key, quota, units);
}

function admission(policy: Policy, taken: Taken | undefined): Admission {
  if (!taken) return { outcome: 'unknown', policy };
  const outcome = taken.taken ? 'admitted' : 'refused';
  return { outcome, policy, left: taken.left, wait: Math.ceil(taken.wait / 1_000) };
}

const stricter = (one: Admission, other: Admission): Admission => (other.outcome === 'refused' ? other : one);

/** Rows that are expanded for one unit of a quota. */
const expandedPerUnit = 25;
/** Rows of a list, when its request does not say, and at most. */
const [usualRows, mostRows] = [20, 100];
/** Steps of an expansion that are counted. */
const mostSteps = 10;

/** Changes that are read for one unit, and that a page of the feed has when its request does not say. */
const changesPerUnit = 50;
const usualChanges = 50;

/**
 * What a request costs: 1, and for each step of each expansion as much more as there are rows to expand. Changes are read
 * out of the log each time, so a page of them costs by their number.
 */
function costOf(url: string): number {
  if (url.includes('/api/changes')) {
    const limit = Number(new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('limit')) || usualChanges;
    return Math.ceil(Math.min(Math.max(limit, 1), mostRows) / changesPerUnit);
  }
  if (!url.includes('expand=')) return 1;
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  const steps = Math.min((query.get('expand') ?? '').split(/[.,]/).length, mostSteps);
  const rows = Math.min(Math.max(Number(query.get('limit')) || usualRows, 1), mostRows);
  return 1 + Math.floor((steps * rows) / expandedPerUnit);
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
