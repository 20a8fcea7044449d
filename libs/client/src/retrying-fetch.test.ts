import { describe, expect, test } from '@jest/globals';
import { SchoolError, isErrorBody, pages, valueOf } from './index.ts';
import { pause, retryingFetch } from './retrying-fetch.ts';

/** Answers in turn, and writes down what it was asked and how long it was waited. */
function scripted(...answers: (() => Response)[]) {
  const asked: Request[] = [];
  const waited: number[] = [];
  const fetch = (async (request: Request) => {
    asked.push(request);
    return answers[Math.min(asked.length, answers.length) - 1]!();
  }) as typeof globalThis.fetch;
  return { asked, waited, options: { fetch, wait: async (ms: number) => void waited.push(ms) } };
}
const status =
  (code: number, headers: Record<string, string> = {}) =>
  () =>
    new Response('{}', { status: code, headers });
const post = () => new Request('http://127.0.0.1/api/courses', { method: 'POST', body: '{"title":"A"}' });

describe('sending requests', () => {
  test.each([429, 503])('%d is tried again after Retry-After, with the same body and Idempotency-Key', async (code) => {
    const { asked, waited, options } = scripted(status(code, { 'retry-after': '7' }), status(201));
    expect((await retryingFetch(options)(post())).status).toBe(201);
    expect(waited).toEqual([7_000]);
    const keys = asked.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^"[0-9a-f-]{36}"$/);
    expect(keys[1]).toBe(keys[0]);
    expect(await asked[1]!.text()).toBe('{"title":"A"}');
  });

  test('a key of the caller’s own stays, and reads carry none', async () => {
    const { asked, options } = scripted(status(200));
    const own = post();
    own.headers.set('idempotency-key', '"mine"');
    await retryingFetch(options)(own);
    await retryingFetch(options)(new Request('http://127.0.0.1/api/courses'));
    expect(asked.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['"mine"', null]);
  });

  test('other errors are answers, and patience ends', async () => {
    const other = scripted(status(500));
    expect((await retryingFetch(other.options)(post())).status).toBe(500);
    expect(other.asked).toHaveLength(1);
    const busy = scripted(status(503));
    expect((await retryingFetch({ ...busy.options, retries: 2 })(post())).status).toBe(503);
    expect(busy.asked).toHaveLength(3);
  });

  test('no answer at all is tried again, and thrown in the end', async () => {
    const dead = () => {
      throw new TypeError('fetch failed');
    };
    const { asked, options } = scripted(dead, status(200));
    expect((await retryingFetch(options)(post())).status).toBe(200);
    expect(asked).toHaveLength(2);
    await expect(retryingFetch({ ...scripted(dead).options, retries: 1 })(post())).rejects.toThrow('fetch failed');
  });

  test('a refused token is replaced once', async () => {
    const { asked, options } = scripted(status(401), status(200));
    const token = async (refused?: string) => (refused === 'old' ? 'new' : 'old');
    expect((await retryingFetch({ ...options, token })(post())).status).toBe(200);
    expect(asked.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer old', 'Bearer new']);
    const lost = scripted(status(401));
    expect((await retryingFetch({ ...lost.options, token: async () => 'same' })(post())).status).toBe(401);
    expect(lost.asked).toHaveLength(1);
  });

  test('RFC 9110 §10.2.3: Retry-After is seconds or a date, and nobody waits longer than a minute', () => {
    const now = Date.parse('2026-01-05T08:00:00Z');
    expect(pause('0', 0, now)).toBe(0);
    expect(pause('Mon, 05 Jan 2026 08:00:09 GMT', 0, now)).toBe(9_000);
    expect(pause('Mon, 05 Jan 2026 07:00:00 GMT', 0, now)).toBe(0);
    expect(pause('86400', 0, now)).toBe(60_000);
    expect(pause(null, 1)).toBeLessThanOrEqual(1_000);
  });
});

describe('answers', () => {
  const error = { error: 'not_found', error_description: 'There is no such thing', request_id: 'req_1' };
  const response = new Response(null, { status: 404 });

  test('a page that cannot be read ends the list with an error that has a code', async () => {
    const list = pages<number>(async (cursor) =>
      cursor ? { error, response } : { data: { data: [1, 2], next_cursor: 'c' }, response },
    );
    expect([(await list.next()).value, (await list.next()).value]).toEqual([1, 2]);
    await expect(list.next()).rejects.toMatchObject({ code: 'not_found', status: 404 });
  });

  test('a body that is no error of the school is an error without a code', () => {
    expect(() => valueOf({ error: '<html>', response: new Response(null, { status: 502 }) })).toThrow(SchoolError);
    expect(isErrorBody(error, 'not_found')).toBe(true);
    expect(isErrorBody(error, 'slug_taken')).toBe(false);
    expect(isErrorBody('<html>')).toBe(false);
  });
});
