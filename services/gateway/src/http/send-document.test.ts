import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { type TestEdge, openTestEdge } from '../testing/test-edge.ts';

describe('a prepared document', () => {
  let edge: TestEdge;
  beforeAll(async () => {
    edge = await openTestEdge({});
  });
  afterAll(() => edge.close());
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${edge.port}${path}`, {
      // What is not named here, fetch names by itself.
      headers: { 'Accept-Encoding': 'identity', ...headers },
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };

  test.each(['br', 'gzip'])('is sent in %s to who takes it, as the same text with a tag of its own', async (coding) => {
    const [plain, coded] = [await get('/openapi.json'), await get('/openapi.json', { 'Accept-Encoding': coding })];
    expect(coded.text).toBe(plain.text);
    expect(coded.headers.get('content-encoding')).toBe(coding);
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(Number(coded.headers.get('content-length'))).toBeLessThan(plain.text.length / 2);
    for (const { headers } of [plain, coded]) expect(headers.get('vary')).toBe('Accept-Encoding');
    expect(coded.headers.get('etag')).not.toBe(plain.headers.get('etag'));
  });

  test('RFC 9110 §13.1.2: 304 by the tag of whichever coding the client has, which the answer names', async () => {
    for (const coding of ['br', 'gzip', 'identity']) {
      const etag = (await get('/auth.md', { 'Accept-Encoding': coding })).headers.get('etag')!;
      for (const now of ['br', 'identity']) {
        const again = await get('/auth.md', { 'Accept-Encoding': now, 'If-None-Match': `"other", ${etag}` });
        expect([again.status, again.headers.get('etag'), again.text]).toEqual([304, etag, '']);
      }
    }
    expect((await get('/auth.md', { 'If-None-Match': '"other-br"' })).status).toBe(200);
  });

  test('HEAD says what GET would, without the body; a short document stays as it is', async () => {
    const { headers, text } = await edge.ask('HEAD', '/openapi.json', { 'Accept-Encoding': 'br' });
    expect([headers['content-encoding'], text]).toEqual(['br', '']);
    const short = await edge.ask('GET', '/docs/client.json', { 'Accept-Encoding': 'br' });
    expect(short.headers).not.toHaveProperty('content-encoding');
    expect(() => JSON.parse(short.text)).not.toThrow();
  });

  test('answers of the authorization server are never compressed: their length would tell of the secrets in them', async () => {
    const page = 'a token against forgery '.repeat(200);
    const answering = (_: unknown, response: ServerResponse) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
    const other = await openTestEdge({ auth: answering as never, catalog: answering as never });
    const ask = async (path: string) => (await other.ask('GET', path, { 'Accept-Encoding': 'gzip' })).headers;
    for (const path of ['/oauth/authorize', '/api/oauth/userinfo', '/api/account'])
      expect(await ask(path)).not.toHaveProperty('content-encoding');
    expect(await ask('/api/courses')).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    await other.close();
  });
});
