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

  test('answers with the default headers of every response beside its own', async () => {
    const app: Handler = (_request, response) => void response.setHeader('x-own', 'kept').end('ok');
    const { forward } = localUpstream('catalog', () => sibling(app), quiet);
    const response = await through((request, answer) =>
      forward(request, answer, ['x-request-id', 'req_2', 'x-content-type-options', 'nosniff']),
    );
    const seen = ['x-request-id', 'x-content-type-options', 'x-own'].map((name) => response.headers.get(name));
    expect(seen).toEqual(['req_2', 'nosniff', 'kept']);
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
