import { type TokenSource, withToken } from './token-source.ts';

/** How requests are sent. */
export interface SendOptions {
  readonly token?: TokenSource | undefined;
  readonly fetch?: typeof globalThis.fetch;
  /** How often an answer 429 or 503, or none at all, is tried again. Default 3. */
  readonly retries?: number;
  /** Waits for milliseconds. */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/** Nobody waits longer for one try. Milliseconds. */
const longest = 60_000;

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * A `fetch` for the API: with the access token, with one Idempotency-Key for all tries of a POST, and with patience where
 * the school asks for it (429, 503, Retry-After) or does not answer. So no try does anything twice.
 * @see RFC 9110 §10.2.3
 */
export function retryingFetch(options: SendOptions): (request: Request) => Promise<Response> {
  const { token, fetch = globalThis.fetch, retries = 3, wait = sleep } = options;
  return async (request) => {
    const keyed = withKey(request);
    for (let tried = 0; ; tried += 1) {
      const answer = await withToken(token, (headers) => fetch(withHeaders(keyed, headers))).catch((error: unknown) => {
        if (tried >= retries || keyed.signal.aborted) throw error;
        return undefined;
      });
      if (answer && (tried >= retries || (answer.status !== 429 && answer.status !== 503))) return answer;
      await answer?.body?.cancel();
      await wait(pause(answer?.headers.get('retry-after') ?? null, tried));
    }
  };
}

function withKey(request: Request): Request {
  if (request.method !== 'POST' || request.headers.has('idempotency-key')) return request;
  return withHeaders(request, { 'idempotency-key': `"${crypto.randomUUID()}"` });
}

function withHeaders(request: Request, more: Readonly<Record<string, string>>): Request {
  const copy = request.clone();
  for (const [name, value] of Object.entries(more)) copy.headers.set(name, value);
  return copy;
}

/** Milliseconds to wait: as long as the school says, in seconds or until a date, else a little longer each time. */
export function pause(retryAfter: string | null, tried: number, now = Date.now()): number {
  const text = retryAfter?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, longest);
  const until = Date.parse(text);
  if (!Number.isNaN(until)) return Math.min(Math.max(until - now, 0), longest);
  return Math.min(250 * 2 ** tried * (1 + Math.random()), longest);
}
