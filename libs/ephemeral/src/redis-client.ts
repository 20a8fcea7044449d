import { messageOf } from '@lyceum/kernel';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionOptions } from 'node:tls';
// oxlint-disable-next-line no-restricted-imports -- this adapter alone imports the driver; a type costs nothing
import type { Cluster, Redis, RedisOptions } from 'ioredis';
import { EphemeralFull, EphemeralUnavailable } from './port.ts';
import type { Script } from './redis-scripts.ts';

/** Where Redis is and how long it may take. */
export interface RedisEphemeralOptions {
  /**
   * `redis://` or `rediss://` (TLS), with user, password and database in the URL. An array, or several URLs separated by
   * commas, are the seeds of a Redis Cluster; user and password are then those of the first.
   */
  readonly url: string | readonly string[];
  /** Certificates and the like; TLS is used when the URL says `rediss://` or when this is given. */
  readonly tls?: ConnectionOptions;
  /** Beginning of every key, so that installations may share a server. Default `lyceum`. */
  readonly prefix?: string;
  /** Milliseconds that one call may take. Default 2,000. */
  readonly timeout?: number;
  /** Hears of lost connections; the client reconnects by itself. */
  readonly onError?: (error: unknown) => void;
}

/** The few calls of ioredis that are used; a server and a cluster answer them alike. */
export interface RedisDriver {
  get(key: string): Promise<string | null>;
  evalsha(sha: string, keys: number, ...args: string[]): Promise<unknown>;
  eval(lua: string, keys: number, ...args: string[]): Promise<unknown>;
  publish(channel: string, text: string): Promise<unknown>;
  subscribe(...channels: string[]): Promise<unknown>;
  connect(): Promise<unknown>;
  disconnect(): void;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'message', listener: (channel: string, text: string) => void): unknown;
  on(event: '+node', listener: (node: Redis) => void): unknown;
  nodes?(): readonly Redis[];
}

/** A connection that answers or fails within its time: nothing is queued while Redis is away, nothing is sent twice. */
export class RedisClient {
  readonly #driver: RedisDriver;
  readonly #timeout: number;
  readonly #inFlight = new Set<Promise<unknown>>();
  #closed = false;

  constructor(driver: RedisDriver, timeout: number) {
    this.#driver = driver;
    this.#timeout = timeout;
  }

  /** The text of a key, or null. */
  get(key: string): Promise<string | null> {
    return this.#send(() => this.#driver.get(key));
  }

  /** Sends a text to all who are subscribed to the channel now. */
  publish(channel: string, text: string): Promise<unknown> {
    return this.#send(() => this.#driver.publish(channel, text));
  }

  /** Runs a script by its digest; a server that does not know it (it restarted) is sent the whole script. */
  run(script: Script, key: string, ...args: readonly string[]): Promise<unknown> {
    return this.#send(() =>
      this.#driver.evalsha(script.sha, 1, key, ...args).catch((error: unknown) => {
        if (!messageOf(error).startsWith('NOSCRIPT')) throw error;
        return this.#driver.eval(script.lua, 1, key, ...args);
      }),
    );
  }

  /** Waits for the calls in hand, then disconnects. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#inFlight);
    this.#driver.disconnect();
  }

  async #send<T>(call: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new EphemeralUnavailable('the ephemeral store is closed');
    const sent = within(this.#timeout, call()).catch(refuse);
    this.#inFlight.add(sent);
    try {
      return await sent;
    } finally {
      this.#inFlight.delete(sent);
    }
  }
}

const usualTimeout = 2_000;

/** Opens the connection and gives the first attempt its time; when Redis is away, the attempts go on behind the calls. */
export async function openRedis(options: RedisEphemeralOptions): Promise<RedisClient> {
  const { timeout = usualTimeout, onError = () => undefined } = options;
  const driver = await redisDriver(options);
  driver.on('error', onError);
  driver.on('+node', (node) => void node.connect().catch(onError));
  await within(timeout, connected(driver, timeout)).catch(onError);
  return new RedisClient(driver, timeout);
}

/** A cluster is ready before its nodes are, and refuses calls to a node that is still connecting. */
async function connected(driver: RedisDriver, milliseconds: number): Promise<void> {
  const end = Date.now() + milliseconds;
  await driver.connect();
  while (Date.now() < end && driver.nodes?.().some(({ status }) => status !== 'ready')) await delay(5);
}

/** A server that is not connected yet, or a cluster. */
async function redisDriver(options: RedisEphemeralOptions): Promise<RedisDriver> {
  const { urls, isCluster } = seedsOf(options);
  if (!isCluster) return redisNode(options, 0, retryStrategy);
  // oxlint-disable-next-line no-restricted-imports -- loaded only when Redis is chosen
  const { Cluster } = await import('ioredis');
  const common = commonOptions(options);
  return new Cluster(urls.map(address), clusterOptions(common, common.connectTimeout, 'tls' in common));
}

/** One server that is not connected yet: the only one, or a seed of a cluster. Lost, it is lost, unless it is to be tried again. */
export async function redisNode(
  options: RedisEphemeralOptions,
  number: number,
  retry: (attempts: number) => number | null = () => null,
): Promise<RedisDriver> {
  // oxlint-disable-next-line no-restricted-imports -- loaded only when Redis is chosen
  const { Redis } = await import('ioredis');
  const { urls } = seedsOf(options);
  const url = urls[number % urls.length]!;
  const db = Number(url.pathname.slice(1) || 0);
  const own = { ...address(url), db, enableOfflineQueue: false, lazyConnect: true, retryStrategy: retry };
  return new Redis({ ...commonOptions(options), ...own });
}

function seedsOf({ url }: RedisEphemeralOptions): { readonly urls: readonly URL[]; readonly isCluster: boolean } {
  const urls = (typeof url === 'string' ? url.split(',') : url).map((each) => new URL(each));
  if (urls.length === 0) throw new RangeError('no Redis URL');
  return { urls, isCluster: typeof url !== 'string' || urls.length > 1 };
}

const retryStrategy = (attempts: number): number => Math.min(50 * 2 ** attempts, 1_000);

const address = (url: URL) => ({ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 6379) });

type Common = ReturnType<typeof commonOptions>;

/** No queue while offline, no retry of a call whose outcome is unknown: a redeem that is sent twice would meet its own tombstone. */
function commonOptions(options: RedisEphemeralOptions) {
  const { timeout = usualTimeout } = options;
  const [{ username, password, protocol }] = seedsOf(options).urls as [URL];
  const tls = options.tls ?? (protocol === 'rediss:' ? {} : undefined);
  return {
    ...(tls && { tls }),
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    connectTimeout: timeout,
    // A connection on which nothing comes back is replaced.
    socketTimeout: timeout + 500,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // The node became a replica, or lost its master: look for the right one.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  } satisfies RedisOptions;
}

function clusterOptions(redisOptions: Common, timeout: number, encrypted: boolean) {
  return {
    redisOptions,
    lazyConnect: true,
    enableOfflineQueue: false,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: timeout,
    clusterRetryStrategy: retryStrategy,
    clusterNodeRetryStrategy: retryStrategy,
    // Certificates name hosts: an address that was looked up before would not match them.
    ...(encrypted && {
      dnsLookup: (host: string, answer: (error: null, address: string) => void) => answer(null, host),
    }),
  } satisfies ConstructorParameters<typeof Cluster>[1];
}

function refuse(cause: unknown): never {
  if (messageOf(cause).startsWith('OOM')) throw new EphemeralFull('Redis holds as much as it may', { cause });
  throw new EphemeralUnavailable('Redis cannot be reached or refuses the call', { cause });
}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
