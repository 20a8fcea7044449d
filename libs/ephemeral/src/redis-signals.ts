import { setTimeout as delay } from 'node:timers/promises';
import type { Hearing } from './port.ts';
import { type RedisDriver, type RedisEphemeralOptions, redisNode } from './redis-client.ts';
import { SignalListeners } from './signals.ts';

/** The longest pause between two tries to connect, milliseconds. */
const longestPause = 5_000;

/**
 * Hears what is published in Redis, on a connection of its own, because one that listens can do nothing else: to the
 * server, or to one node of a cluster after the other, since each node has what is published at any. It is opened for the
 * first listener; when it is lost, another one follows.
 */
export class RedisSignals {
  readonly #options: RedisEphemeralOptions;
  readonly #listeners = new SignalListeners();
  readonly #closing = new AbortController();
  /** The channels of which everything arrives. */
  readonly #subscribed = new Set<string>();
  #driver: RedisDriver | undefined;
  #running: Promise<void> | undefined;

  constructor(options: RedisEphemeralOptions) {
    this.#options = options;
  }

  listen(channel: string, heard: (text: string) => void): Hearing {
    const isConnected = () => this.#subscribed.has(channel);
    const close = this.#isClosed ? () => undefined : this.#listeners.add(channel, heard);
    if (!this.#isClosed) this.#running ??= this.#run();
    if (this.#driver) void this.#subscribe(this.#driver, [channel]).catch((error) => this.#failed(error));
    return {
      get isConnected() {
        return isConnected();
      },
      close,
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#driver?.disconnect();
    await this.#running;
    this.#listeners.clear();
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** One connection after the other. Of failures in a row the first is told. */
  async #run(): Promise<void> {
    for (let failures = 0, node = 0; !this.#isClosed; node += 1) {
      let told = failures > 0;
      const tell = (error: unknown): void => {
        if (!told) this.#failed(error);
        told = true;
      };
      try {
        await this.#hear(node, tell, () => (failures = 0));
      } catch (error) {
        tell(error);
      }
      failures += 1;
      const signal = this.#closing.signal;
      await delay(Math.min(50 * 2 ** failures, longestPause), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Listens until the connection ends. */
  async #hear(node: number, onError: (error: unknown) => void, begun: () => void): Promise<void> {
    const driver = await redisNode(this.#options, node);
    const ended = new Promise<void>((resolve) => driver.on('end', resolve));
    driver.on('error', onError);
    driver.on('message', (channel, text) => this.#listeners.tell(channel, text));
    try {
      await driver.connect();
      this.#driver = driver;
      if (this.#isClosed) return;
      await this.#subscribe(driver, this.#listeners.topics);
      begun();
      await ended;
    } finally {
      this.#driver = undefined;
      this.#subscribed.clear();
      driver.disconnect();
    }
  }

  #failed(error: unknown): void {
    if (!this.#isClosed) this.#options.onError?.(error);
  }

  async #subscribe(driver: RedisDriver, channels: readonly string[]): Promise<void> {
    if (channels.length === 0) return;
    await driver.subscribe(...channels);
    if (this.#driver === driver) for (const each of channels) this.#subscribed.add(each);
  }
}
