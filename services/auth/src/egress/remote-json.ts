import type { Clock } from '@lyceum/kernel';
import { type Egress, type EgressAnswer, EgressRefused } from './egress.ts';

/** Why a document cannot be had, for the developer who put it there: continues "the document …". */
export class RemoteRefused extends Error {
  override readonly name = 'RemoteRefused';
}

/** Too much is asked of one origin, by one school, or of this process, just now. Nothing was sent. */
export class RemoteBusy extends Error {
  override readonly name = 'RemoteBusy';
}

/** How documents are fetched and kept. Times in milliseconds. */
export interface RemoteLimits {
  /** Largest document, in bytes. */
  readonly mostBytes: number;
  /** Requests to one origin in a minute. */
  readonly perOrigin: number;
  /** Documents kept, and their bytes altogether: trusted ones stay first, then those asked for last. */
  readonly mostKept: number;
  readonly mostKeptBytes: number;
  /** Requests under way at once, in all and for one school. */
  readonly mostAtOnce: number;
  readonly mostForSchool: number;
}

/** The school that a document is fetched for. */
export interface Asker {
  readonly school: string;
  /** Whether the document is of somebody who has access already: strangers never use up what is left for those. */
  readonly isTrusted: boolean;
}

interface Kept {
  readonly outcome: Promise<object>;
  readonly fetched: number;
  /** Set once the answer is there; before that everybody waits for the same one. */
  until: number;
  bytes: number;
  isTrusted: boolean;
}

const minute = 60_000;
const timeout = 5_000;
const [kibibyte, mebibyte] = [1024, 1024 * 1024];
const [leastKept, usuallyKept, longestKept] = [30_000, 5 * minute, 24 * 60 * minute];
const refusalKept = minute;

/**
 * JSON objects of strangers, fetched through the guarded way out and kept as their origin says, but at least 30 seconds
 * and at most a day; refusals a minute. Those who ask for the same at the same time share one request. Trusted documents
 * and others are counted apart, so that nobody who is unknown yet can keep a known client from its people.
 */
export class RemoteJson {
  readonly #egress: Egress;
  readonly #clock: Clock;
  readonly #limits: RemoteLimits;
  readonly #kept = new Map<string, Kept>();
  readonly #spent = new Map<string, { count: number; readonly since: number }>();
  readonly #underWay = new Map<string, number>();

  constructor(egress: Egress, clock: Clock, limits: Partial<RemoteLimits> = {}) {
    this.#egress = egress;
    this.#clock = clock;
    const kept = { mostKept: 1_000, mostKeptBytes: 8 * mebibyte };
    const spent = { perOrigin: 30, mostAtOnce: 20, mostForSchool: 5 };
    this.#limits = { mostBytes: 64 * kibibyte, ...spent, ...kept, ...limits };
  }

  /** The document at an address as it is kept here, for which nothing is sent; undefined when it is not, or no longer. */
  kept(url: string): Promise<object> | undefined {
    const kept = this.#kept.get(url);
    return kept && this.#clock.now() < kept.until ? kept.outcome : undefined;
  }

  /** The document at an address. Throws `RemoteRefused` and `RemoteBusy`. */
  async get(url: string, serviceQueryClient: Asker): Promise<object> {
    return this.kept(url) ?? this.#fetch(url, serviceQueryClient);
  }

  /** The same, asked for again unless that was done within the last 30 seconds: something new may be in it. */
  async renew(url: string, serviceQueryClient: Asker): Promise<object> {
    const kept = this.#kept.get(url);
    if (kept && this.#clock.now() < kept.fetched + leastKept) return kept.outcome;
    return this.#fetch(url, serviceQueryClient);
  }

  #fetch(url: string, serviceQueryClient: Asker): Promise<object> {
    const fetched = this.#clock.now();
    const slots = this.#spend(new URL(url).origin, fetched, serviceQueryClient);
    const settle = (life: number, bytes: number) => {
      kept.until = fetched + life;
      kept.bytes = bytes;
      for (const slot of slots) this.#release(slot);
      this.#forget();
    };
    const isTrusted = serviceQueryClient.isTrusted || this.#kept.get(url)?.isTrusted === true;
    const kept: Kept = { fetched, until: Infinity, bytes: 0, isTrusted, outcome: this.#ask(url, settle) };
    kept.outcome.catch(() => undefined);
    this.#kept.delete(url);
    this.#kept.set(url, kept);
    this.#forget();
    return kept.outcome;
  }

  /** Forgets the oldest that are too many or too much, trusted ones last. */
  #forget(): void {
    let [count, bytes] = [0, 0];
    const latest = [...this.#kept].toReversed();
    const order = (isTrusted: boolean) => latest.filter(([, kept]) => kept.isTrusted === isTrusted);
    for (const [url, kept] of [...order(true), ...order(false)]) {
      count += 1;
      bytes += kept.bytes;
      if (count > this.#limits.mostKept || bytes > this.#limits.mostKeptBytes) this.#kept.delete(url);
    }
  }

  async #ask(url: string, settle: (life: number, bytes: number) => void): Promise<object> {
    try {
      const answer = await this.#egress.send({ url, mostBytes: this.#limits.mostBytes, timeout });
      const json = jsonObject(answer);
      settle(lifeOf(answer), Buffer.byteLength(answer.text));
      return json;
    } catch (error) {
      settle(refusalKept, 0);
      throw error instanceof EgressRefused ? new RemoteRefused(reasons[error.fault], { cause: error }) : error;
    }
  }

  /**
   * Nobody may use this service to burden another one, nor to tie it up. Gives the slots that the request takes until it
   * has its answer.
   */
  #spend(origin: string, now: number, { school, isTrusted }: Asker): readonly string[] {
    const kind = isTrusted ? 'trusted' : 'unknown';
    const [all, one] = [kind, `${kind} ${school}`];
    if (this.#taken(all) >= this.#limits.mostAtOnce) throw new RemoteBusy('too many requests are under way');
    if (this.#taken(one) >= this.#limits.mostForSchool) throw new RemoteBusy('too many requests for one school');
    this.#count(`${kind} ${origin}`, now);
    for (const slot of [all, one]) this.#underWay.set(slot, this.#taken(slot) + 1);
    return [all, one];
  }

  #count(key: string, now: number): void {
    const spent = this.#spent.get(key);
    if (spent && now < spent.since + minute) {
      if (spent.count >= this.#limits.perOrigin) throw new RemoteBusy('too many requests to one origin');
      spent.count += 1;
      return;
    }
    for (const [each, { since }] of this.#spent) if (since + minute <= now) this.#spent.delete(each);
    this.#spent.set(key, { count: 1, since: now });
  }

  #taken = (slot: string): number => this.#underWay.get(slot) ?? 0;

  #release(slot: string): void {
    const left = this.#taken(slot) - 1;
    if (left > 0) this.#underWay.set(slot, left);
    else this.#underWay.delete(slot);
  }
}

const reasons: Readonly<Record<EgressRefused['fault'], string>> = {
  scheme: 'is not at an https address',
  name: 'is on a host whose name has no address',
  address: 'is on a host that is not on the public Internet',
  connection: 'cannot be reached, or its certificate is not good',
  timeout: 'did not arrive in time',
  size: 'is too large',
  encoding: 'is not plain UTF-8',
};

function jsonObject({ status, headers, text }: EgressAnswer): object {
  if (status !== 200) throw new RemoteRefused(`was answered with status ${status} instead of 200`);
  const type = String(headers['content-type'] ?? '');
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) throw new RemoteRefused('has no JSON content type');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RemoteRefused('is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RemoteRefused('is not a JSON object');
  return value;
}

/** @see RFC 9111 §5.2.2 */
function lifeOf({ headers }: EgressAnswer): number {
  const control = String(headers['cache-control'] ?? '').toLowerCase();
  if (/(?:^|[\s,])(?:no-store|no-cache)(?:[\s,=]|$)/.test(control)) return leastKept;
  const age = /(?:^|[\s,])max-age="?(\d{1,10})/.exec(control)?.[1];
  const life = age === undefined ? usuallyKept : Number(age) * 1000;
  return Math.min(Math.max(life, leastKept), longestKept);
}
