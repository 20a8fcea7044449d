import { wellKnownPaths } from '@lyceum/contracts';
import { type Authority, connections } from './authority.ts';
import { registration } from './registered-client.ts';
import type { Round } from '../measuring/case.ts';
import { callers } from '../measuring/workload.ts';

/** What is asked of an authorization server for one figure. */
export interface Work {
  /** What an operation is. */
  readonly unit: string;
  /** Prepares what the rounds need and returns the round. */
  begin(authority: Authority): Promise<(milliseconds: number) => Promise<Round>>;
}

/** Access tokens, chains of refresh tokens and the like that are used in turns. */
const many = 64;

/** Runs an operation over all connections for a while; only that time counts. */
async function timed(authority: Authority, milliseconds: number, operation: () => Promise<unknown>): Promise<Round> {
  const [before, began] = [await authority.usage(), performance.now()];
  const latencies = await callers(connections, milliseconds, operation);
  const took = performance.now() - began;
  const after = await authority.usage();
  const server = { milliseconds: took, cpu: after.cpu - before.cpu, megabytes: after.megabytes };
  return { operations: latencies.length, latencies, server };
}

/** A round that makes one request again and again, with what was prepared for it, in turns. */
const repeated = async <T>(authority: Authority, prepared: readonly T[], ask: (each: T) => Promise<unknown>) => {
  let turn = 0;
  return (milliseconds: number) =>
    timed(authority, milliseconds, () => ask(prepared[(turn = (turn + 1) % prepared.length)]!));
};

const several = async <T>(count: number, make: () => Promise<T>): Promise<T[]> => {
  const made: T[] = [];
  const one = async (): Promise<void> => {
    while (made.length < count) made.push(await make());
  };
  await Promise.all(Array.from({ length: connections }, one));
  return made;
};

/** Codes are got beforehand, not in the time that counts: they live for a minute, so each round gets its own. */
export const codeExchange: Work = {
  unit: 'exchanges',
  async begin(authority) {
    let wanted = 100;
    return async (milliseconds) => {
      const codes = await several(wanted, () => authority.code());
      const round = await timed(authority, milliseconds, async () => {
        const next = codes.pop();
        return next !== undefined && authority.exchange(next);
      });
      wanted = Math.min(mostCodes, Math.max(100, 2 * round.operations));
      return round;
    };
  },
};

const mostCodes = 1_000;

/** Each chain is used by one caller at a time, as a client would. */
export const refresh: Work = {
  unit: 'refreshes',
  async begin(authority) {
    const tokens = await several(many, async () => (await authority.exchange(await authority.code())).refresh_token);
    return (milliseconds) =>
      timed(authority, milliseconds, async () => {
        const { refresh_token } = await authority.refresh(tokens.shift()!);
        tokens.push(refresh_token);
      });
  },
};

export const authorizeAndExchange: Work = {
  unit: 'flows',
  begin: async (authority) => (milliseconds) =>
    timed(authority, milliseconds, async () => authority.exchange(await authority.code())),
};

const accessTokens = (authority: Authority) =>
  several(many, async () => (await authority.exchange(await authority.code())).access_token);

export const introspection: Work = {
  unit: 'introspections',
  begin: async (authority) =>
    repeated(authority, await accessTokens(authority), async (token) => {
      const { active } = await authority.post<{ active: boolean }>(authority.paths.introspect, { token });
      if (!active) throw new Error('the token is not active');
    }),
};

export const userinfo: Work = {
  unit: 'answers',
  begin: async (authority) =>
    repeated(authority, await accessTokens(authority), (token) =>
      authority.ask('GET', authority.paths.userinfo, { authorization: `Bearer ${token}` }),
    ),
};

/** Few enough that the school has room for all: evicting is another figure. */
const mostRegistrations = 500;

export const registering: Work = {
  unit: 'registrations',
  async begin(authority) {
    const body = JSON.stringify(registration(authority.client.redirectUri, 'RS256'));
    return (milliseconds) => {
      let left = mostRegistrations;
      return timed(authority, milliseconds, async () => {
        left -= 1;
        return (
          left >= 0 && authority.ask('POST', authority.paths.register, { 'content-type': 'application/json' }, body)
        );
      });
    };
  },
};

const discover = (authority: Authority, headers?: Readonly<Record<string, string>>) =>
  authority.ask('GET', wellKnownPaths.openidConfiguration, headers);

export const discovery: Work = {
  unit: 'documents',
  begin: async (authority) => repeated(authority, [undefined], () => discover(authority)),
};

/** With the entity tag, where there is one: then the answer is 304. */
export const rediscovery: Work = {
  unit: 'answers',
  async begin(authority) {
    const { etag } = await discover(authority);
    const headers = etag === undefined ? {} : { 'if-none-match': etag };
    return repeated(authority, [headers], (each) => discover(authority, each));
  },
};
