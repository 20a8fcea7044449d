import { oauthPaths } from '@lyceum/contracts';
import { call, until } from '@lyceum/testkit';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Part } from './mixed-system.ts';
import type { Report } from './report.ts';

/** What is read of each service through the gateway, without a token. */
const paths: Readonly<Record<Part, string>> = {
  gateway: '/openapi.json',
  'auth-http': oauthPaths.jwks,
  school: '/api/school',
  catalog: '/api/courses?limit=2',
  learning: '/certificates/none-of-this-code',
  media: '/media/files/none-of-this-name',
  commerce: '/api/membership_plans',
  content: '/api/posts',
};

/** Milliseconds between two reads of everything. */
const pause = 100;

/** Resolves when each service answers: a gateway that was there before a service leaves it alone for two seconds. */
export async function untilAnswered(baseUrl: string, read: readonly Part[]): Promise<void> {
  for (const part of read) await until(async () => (await call(baseUrl + paths[part])).status < 500, part);
}

/** What a reader got that is no answer of the service. */
interface Failure {
  readonly path: string;
  readonly told: string;
}

/**
 * Reads something of each service over and over, as visitors do: whatever answers 500 or more, or nothing at all, is a fault,
 * but for 503 with Retry-After of the one service that is away by design.
 */
export class SteadyReader {
  readonly #baseUrl: string;
  readonly #read: readonly Part[];
  readonly #report: Report;
  readonly #end = new AbortController();
  readonly #reading: Promise<unknown>;
  #away: Part | undefined;
  #answered = 0;

  constructor(baseUrl: string, read: readonly Part[], report: Report) {
    this.#baseUrl = baseUrl;
    this.#read = read;
    this.#report = report;
    this.#reading = Promise.all(read.map((part) => this.#go(part)));
  }

  /** This service may be away while something is done. */
  async without(part: Part, work: () => Promise<unknown>): Promise<void> {
    this.#away = part;
    await work();
    this.#away = undefined;
  }

  /** Resolves to how many answers there were. */
  async stop(): Promise<number> {
    this.#end.abort();
    await this.#reading;
    if (this.#answered < this.#read.length)
      this.#report.fault(`only ${this.#answered} answers to ${this.#read.join()}`);
    return this.#answered;
  }

  async #go(part: Part): Promise<void> {
    const path = paths[part];
    while (!this.#end.signal.aborted) {
      const mayBeAway = this.#away === part;
      const failure = await this.#ask(path);
      if (!failure) this.#answered += 1;
      else if (mayBeAway || this.#away === part) this.#report.count(`${failure.path} ${failure.told}, which is away`);
      else this.#report.fault(`${failure.path} ${failure.told}`);
      await sleep(pause);
    }
  }

  async #ask(path: string): Promise<Failure | undefined> {
    try {
      const { status, body, headers } = await call(this.#baseUrl + path);
      if (status < 500) return undefined;
      const wait = headers.get('retry-after');
      return { path, told: `answers ${status} ${JSON.stringify(body)}, Retry-After ${wait ?? 'is not there'}` };
    } catch (error) {
      return { path, told: `is not answered: ${String((error as Error).cause ?? error)}` };
    }
  }
}
