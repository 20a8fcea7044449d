import { createHash } from 'node:crypto';
import type { Ephemeral, Hearing, Redeemed, Taken, TakenMany } from './port.ts';
import { checkQuota } from './quota.ts';
import { type RedisClient, type RedisEphemeralOptions, openRedis } from './redis-client.ts';
import * as scripts from './redis-scripts.ts';
import { RedisSignals } from './redis-signals.ts';

/** Whole milliseconds as the argument of a script. */
function milliseconds(ttl: number): string {
  if (!Number.isSafeInteger(ttl) || ttl < 1)
    throw new RangeError('a time to live is a whole number of milliseconds, at least 1');
  return String(ttl);
}

/** What a key holds must not be a counter or a quota. */
function valuesOnly(held: string): string {
  if (/^[\d\-q]/.test(held))
    throw new TypeError(`the key is a ${held.startsWith('q') ? 'quota' : 'counter'}, not a value`);
  return held;
}

/**
 * Ephemeral state in Redis (6.2 or newer, or what speaks its protocol), on one connection, or one for each master of a
 * Redis Cluster. Keys are stored as `<prefix>:{<SHA-256 of the key>}`: each operation has its own slot, so a large
 * tenant burdens no single node, and neither addresses nor names stand in Redis. Signals are published in
 * `<prefix>:signal:<topic>`, and heard on one connection more. Resolves also when Redis is away: then
 * calls reject with `EphemeralUnavailable` at once until it is back, and within `timeout` when it does not answer. A
 * call whose outcome is unknown is never repeated. Driver `ioredis`, loaded here only.
 */
export async function redisEphemeral(options: RedisEphemeralOptions): Promise<Ephemeral> {
  return new RedisEphemeral(await openRedis(options), new RedisSignals(options), options.prefix ?? 'lyceum');
}

class RedisEphemeral implements Ephemeral {
  readonly isShared = true;
  readonly #client: RedisClient;
  readonly #signals: RedisSignals;
  readonly #prefix: string;

  constructor(client: RedisClient, signals: RedisSignals, prefix: string) {
    this.#client = client;
    this.#signals = signals;
    this.#prefix = prefix;
  }

  async putIfAbsent(key: string, value: string, ttl: number): Promise<boolean> {
    const held = await this.#client.run(scripts.putIfAbsent, this.#place(key), `v${value}`, milliseconds(ttl));
    if (held === null) return true;
    valuesOnly(held as string);
    return false;
  }

  async get(key: string): Promise<string | undefined> {
    const held = valuesOnly((await this.#client.get(this.#place(key))) ?? '');
    return held.startsWith('v') ? held.slice(1) : undefined;
  }

  async redeem(key: string, tombstone: string, ttl: number): Promise<Redeemed> {
    const held = await this.#client.run(scripts.redeem, this.#place(key), `t${tombstone}`, milliseconds(ttl));
    if (held === null) return { state: 'absent' };
    const text = valuesOnly(held as string);
    return text.startsWith('v')
      ? { state: 'live', value: text.slice(1) }
      : { state: 'redeemed', tombstone: text.slice(1) };
  }

  async increment(key: string, ttl: number, by = 1): Promise<{ readonly count: number; readonly ttl: number }> {
    if (!Number.isSafeInteger(by)) throw new RangeError('a counter grows by a whole number');
    const answer = await this.#client.run(scripts.increment, this.#place(key), milliseconds(ttl), String(by));
    if (answer === null) throw new TypeError('the key is not a counter');
    const [count, left] = answer as [number, number];
    return { count, ttl: left };
  }

  async take(key: string, quota: number, window: number): Promise<Taken> {
    const { taken, ...state } = await this.takeMany(key, 1, quota, window);
    return { taken: taken === 1, ...state };
  }

  async takeMany(key: string, most: number, quota: number, window: number): Promise<TakenMany> {
    checkQuota(quota, window, most);
    const asked = [quota, window, most].map(String);
    const answer = await this.#client.run(scripts.takeMany, this.#place(key), ...asked);
    if (answer === null) throw new TypeError('the key is not a quota');
    const [taken, left, wait] = answer as [number, number, number];
    return { taken, left, wait };
  }

  async compareAndDelete(key: string, value: string): Promise<boolean> {
    const held = await this.#client.run(scripts.compareAndDelete, this.#place(key), `v${value}`);
    if (held === null) return true;
    valuesOnly(held as string);
    return false;
  }

  signal(topic: string, text: string): void {
    this.#client.publish(this.#channel(topic), text).catch(() => undefined);
  }

  listen(topic: string, heard: (text: string) => void): Hearing {
    return this.#signals.listen(this.#channel(topic), heard);
  }

  async close(): Promise<void> {
    await Promise.all([this.#client.close(), this.#signals.close()]);
  }

  #channel(topic: string): string {
    return `${this.#prefix}:signal:${topic}`;
  }

  #place(key: string): string {
    return `${this.#prefix}:{${createHash('sha256').update(key).digest('base64url')}}`;
  }
}
