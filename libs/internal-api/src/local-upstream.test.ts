import { describe, expect, test } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { listen } from '@lyceum/testkit';
import { type LocalService, localUpstream } from './local-upstream.ts';
import type { Handler } from './upstream.ts';

const quiet = { requestId: () => 'req_1', report: () => undefined };
const sibling = (app: Handler, more: Partial<LocalService> = {}): LocalService => ({
  app,
  ...more,
});

async function through(edge: Handler, headers: Record<string, string> = {}): Promise<Response> {
  const listener = await listen(edge);
  try {
    return await fetch(`http://127.0.0.1:${listener.port}/x`, { headers });
  } finally {
    await listener.close();
  }
}

describe('a sibling in the same process', () => {
  test('sees the headers as the edge left them, in every view of them', async () => {
    let seen: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'headersDistinct'> | undefined;
    const app: Handler = ({ headers, rawHeaders, headersDistinct }, response) => {
      seen = { headers, rawHeaders, headersDistinct };
      response.end('ok');
    };
    const upstream = localUpstream('catalog', () => sibling(app), quiet);
    await through(
      (request, response) => {
        delete request.headers['x-forwarded-host'];
        request.headers['x-school-id'] = 'school_1';
        upstream.forward(request, response);
      },
      { 'x-forwarded-host': 'evil.example', 'x-school-id': 'school_2' },
    );
    expect(seen?.headers['x-school-id']).toBe('school_1');
    expect(seen?.headersDistinct['x-school-id']).toEqual(['school_1']);
    expect(seen?.headersDistinct['x-forwarded-host']).toBeUndefined();
    expect(seen?.rawHeaders.join(' ')).toContain('x-school-id school_1');
    expect(seen?.rawHeaders.join(' ')).not.toMatch(/evil|school_2/);
  });

  test('answers with the headers that every answer has, and leaves aligned ones of the request alone', async () => {
    let seen: readonly string[] | undefined;
    const app: Handler = ({ rawHeaders }, response) => {
      seen = rawHeaders;
      response.setHeader('x-own', 'kept').end('ok');
    };
    const { answerWith } = localUpstream('catalog', () => sibling(app), quiet);
    const rawHeaders = ['x-school-id', 'school_1'];
    const response = await through((request, answer) => {
      request.rawHeaders = rawHeaders;
      answerWith!(request, answer, ['x-request-id', 'req_2', 'x-content-type-options', 'nosniff']);
    });
    const [id, sniffing, own] = ['x-request-id', 'x-content-type-options', 'x-own'].map((name) =>
      response.headers.get(name),
    );
    expect([id, sniffing, own, seen]).toEqual(['req_2', 'nosniff', 'kept', rawHeaders]);
  });

  test('that throws at once is a 503 in the error shape, and the throw is reported, not echoed', async () => {
    const reported: unknown[] = [];
    const app: Handler = () => {
      throw new Error('planted secret');
    };
    const upstream = localUpstream('catalog', () => sibling(app), {
      ...quiet,
      report: (error) => void reported.push(error),
    });
    const response = await through(upstream.forward);
    const text = await response.text();
    expect(response.status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({ error: 'temporarily_unavailable', request_id: 'req_1' });
    expect(text).not.toContain('planted');
    expect(reported).toHaveLength(1);
  });

  test('that has not started is a 503', async () => {
    expect((await through(localUpstream('catalog', () => undefined, quiet).forward)).status).toBe(503);
  });

  test('describes itself with a fresh copy each time', async () => {
    const openapi = { paths: { '/api/courses': {} } };
    const upstream = localUpstream('catalog', () => sibling(() => undefined, { openapi }), quiet);
    const first = await upstream.describe();
    (first['paths'] as Record<string, unknown>)['/evil'] = {};
    expect(await upstream.describe()).toEqual(openapi);
  });
});
