import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { components } from './api.ts';
import { pause } from './retrying-fetch.ts';
import { SchoolError } from './school-error.ts';
import { type TokenSource, withToken } from './token-source.ts';

/** Something that happened in the school. */
export type Change = components['schemas']['Change'];

/** A change, and the cursor to go on from when it is dealt with. */
export interface Heard {
  readonly change: Change;
  readonly cursor: string;
}

/** How changes are followed. */
export interface FollowOptions {
  readonly token?: TokenSource | undefined;
  readonly fetch?: typeof globalThis.fetch;
  /** A cursor of before, or `now`; from the oldest change that is kept when not given. */
  readonly after?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

const sleep = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = () => (clearTimeout(timer), signal?.removeEventListener('abort', end), resolve());
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
  });

/**
 * The changes of the school as they happen, at least once, until the signal aborts. A connection that ends is opened again
 * where it ended. Throws `SchoolError` when the school refuses: with `gone`, read the lists again and begin with `now`.
 * @see HTML §9.2
 */
export async function* followChanges(
  baseUrl: string,
  options: FollowOptions = {},
): AsyncGenerator<Heard, void, undefined> {
  let cursor = options.after;
  for (let failures = 0; !options.signal?.aborted; failures += 1) {
    try {
      // From here on nothing may be missed, also when the connection breaks before the first change.
      if (cursor === 'now') cursor = await present(baseUrl, options);
      const response = await connect(baseUrl, cursor, options);
      for await (const { id, event, data } of eventsOf(response)) {
        if (options.signal?.aborted) return;
        failures = -1;
        if (event === 'error') throw new SchoolError(statusOf(data), JSON.parse(data));
        cursor = id ?? cursor;
        if (data !== '') yield { change: JSON.parse(data) as Change, cursor: cursor! };
      }
    } catch (error) {
      if (options.signal?.aborted) return;
      if (error instanceof SchoolError && error.status !== 429 && error.status < 500) throw error;
    }
    await sleep(pause(null, Math.max(Math.min(failures, 6), 0)), options.signal);
  }
}

/** The cursor after everything that has happened. */
async function present(baseUrl: string, options: FollowOptions): Promise<string> {
  const response = await ask(baseUrl, { after: 'now' }, 'application/json', options);
  return ((await response.json()) as { next_cursor: string }).next_cursor;
}

function connect(baseUrl: string, after: string | undefined, options: FollowOptions): Promise<Response> {
  const { types } = options;
  const query = { ...(after === undefined ? {} : { after }), ...(types ? { types: types.join(',') } : {}) };
  return ask(baseUrl, query, 'text/event-stream', options);
}

async function ask(
  baseUrl: string,
  query: Readonly<Record<string, string>>,
  accept: string,
  { token, fetch = globalThis.fetch, signal }: FollowOptions,
): Promise<Response> {
  const url = new URL(`/api/changes?${new URLSearchParams(query)}`, baseUrl);
  const response = await withToken(token, (headers) =>
    fetch(url, { headers: { ...headers, accept }, ...(signal ? { signal } : {}) }),
  );
  if (response.ok && response.body) return response;
  throw new SchoolError(response.status, await response.json().catch(() => undefined));
}

const eventsOf = (response: Response) =>
  (response.body! as ReadableStream<Uint8Array<ArrayBuffer>>)
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());

/** An error in the middle of a stream has no status of its own: only `gone` is final. */
const statusOf = (data: string): number => (/"error":\s*"gone"/.test(data) ? 410 : 503);
