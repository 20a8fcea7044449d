import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DocumentsUnavailable } from '@lyceum/documents';
import { EphemeralUnavailable } from '@lyceum/ephemeral';
import {
  CommitTooLarge,
  ConcurrencyConflict,
  IdempotencyMismatch,
  OutcomeUnknown,
  Unavailable,
} from '@lyceum/eventlog';
import { z } from 'zod';
import { Problem, listOf, listQuery, mount, operation } from '../index.ts';
import { type Serving, serving } from '../testing/serving.ts';

const base = { area: 'courses', summary: 'A test operation', anonymous: true, status: 200 } as const;
const item = z.object({ id: z.string() });
const params = z.object({ thing: z.string().max(40) });

const failures: Record<string, () => unknown> = {
  problem: () =>
    new Problem('slug_taken', 'The slug "a\\b" is taken – sorry', { details: [{ path: 'slug', code: 'taken' }] }),
  conflict: () => new ConcurrencyConflict('thing_1', 1, 2),
  claim: () => new ConcurrencyConflict('unique/slug/a', 0, 1),
  mismatch: () => new IdempotencyMismatch('x'),
  large: () => new CommitTooLarge('x'),
  unavailable: () => new Unavailable('mongodb://user:secret@host'),
  unknown: () => new OutcomeUnknown('x'),
  ephemeral: () => new EphemeralUnavailable('x'),
  documents: () => new DocumentsUnavailable('x'),
  bug: () => new TypeError('secret detail of the bug'),
  text: () => 'secret text',
};

const operations = [
  operation({
    ...base,
    id: 'readThing',
    method: 'GET',
    path: '/api/things/{thing}',
    params,
    reply: item,
    handle: async ({ params: { thing } }) => ({ body: { id: thing }, version: 3, observed: { lane: 2, position: 41 } }),
  }),
  operation({
    ...base,
    id: 'readLatest',
    method: 'GET',
    path: '/api/things/latest',
    handle: async () => ({ body: { id: 'the latest' }, headers: { 'Cache-Control': 'public, max-age=60' } }),
  }),
  operation({
    ...base,
    id: 'createThing',
    method: 'POST',
    path: '/api/things',
    status: 201,
    handle: async () => ({ body: { id: 'new' }, headers: { Location: '/api/things/new' } }),
  }),
  operation({
    ...base,
    id: 'removeThing',
    method: 'DELETE',
    path: '/api/things/{thing}',
    params,
    status: 204,
    handle: async () => ({}),
  }),
  operation({
    ...base,
    id: 'moveThing',
    method: 'GET',
    path: '/api/moved',
    handle: async () => ({ status: 308, headers: { Location: '/api/things/a' } }),
  }),
  operation({
    ...base,
    id: 'failThing',
    method: 'POST',
    path: '/api/fail/{how}',
    ifMatch: 'accepted',
    params: z.object({ how: z.string() }),
    handle: ({ params: { how } }) => Promise.reject(failures[how]!()),
  }),
  operation({
    ...base,
    id: 'breakReply',
    method: 'GET',
    path: '/api/broken',
    reply: item,
    handle: async () => ({ body: { id: 42, password: 'hunter2' } }),
  }),
];

let service: Serving;
beforeAll(async () => {
  service = await serving(operations);
});
afterAll(() => service.close());

describe('a reply', () => {
  test('carries status, body with its view, ETag, Consistency-Token and is not stored by caches', async () => {
    const { status, json, headers } = await service.send('/api/things/a');
    expect([status, json]).toEqual([200, { id: 'a', view: 'anonymous' }]);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      etag: '"3"',
      'consistency-token': expect.stringMatching(/^[\w-]{40,}$/),
      'cache-control': 'private, no-store',
      vary: 'Authorization',
    });
  });

  test('RFC 9110 §12.5.5: says that it varies by Accept-Encoding where the edge may compress it: without an ETag', async () => {
    const vary = async (path: string) => (await service.send(path)).headers['vary'];
    expect(await vary('/api/things/latest')).toBe('Authorization, Accept-Encoding');
    expect(await vary('/api/things/a')).toBe('Authorization');
  });

  test('keeps the Cache-Control, Location and status of the handler', async () => {
    expect((await service.send('/api/things/latest')).headers['cache-control']).toBe('public, max-age=60');
    const created = await service.send('/api/things', { method: 'POST' });
    expect([created.status, created.headers.location]).toEqual([201, '/api/things/new']);
    const moved = await service.send('/api/moved');
    expect([moved.status, moved.headers.location, moved.text]).toEqual([308, '/api/things/a', '']);
  });

  test('without a body is empty', async () => {
    const { status, text } = await service.send('/api/things/a', { method: 'DELETE' });
    expect([status, text]).toEqual([204, '']);
  });

  test.each(['"3"', 'W/"3"', '"1", "3"', '*'])(
    'RFC 9110 §13.1.2: If-None-Match %s is 304 with the validator and no body',
    async (tag) => {
      const { status, text, headers } = await service.send('/api/things/a', { headers: { 'if-none-match': tag } });
      expect([status, text, headers.etag]).toEqual([304, '', '"3"']);
    },
  );

  test.each(['"2"', '3', 'nonsense', '"33"'])(
    'RFC 9110 §13.1.2: If-None-Match %s gets the whole answer',
    async (tag) => {
      expect((await service.send('/api/things/a', { headers: { 'if-none-match': tag } })).status).toBe(200);
    },
  );

  test('that does not fit its schema is a 500 that shows nothing of it', async () => {
    const { status, json, text } = await service.send('/api/broken');
    expect([status, json['error']]).toEqual([500, 'server_error']);
    expect(text).not.toMatch(/hunter2|42/);
  });
});

describe('routes', () => {
  test('RFC 9110 §9.3.2: HEAD is GET without the body', async () => {
    const { status, text, headers } = await service.send('/api/things/a', { method: 'HEAD' });
    expect([status, text, headers.etag]).toEqual([200, '', '"3"']);
    expect(Number(headers['content-length'])).toBeGreaterThan(10);
  });

  test('a literal segment wins over a parameter, whatever the order of declaration', async () => {
    expect((await service.send('/api/things/latest')).json['id']).toBe('the latest');
  });

  test.each(['/api/nothing', '/api/things/', '/API/things/a', '/', '/api/things/a/b'])(
    '%s is a JSON 404',
    async (path) => {
      const { status, json } = await service.send(path);
      expect([status, json['error']]).toEqual([404, 'not_found']);
    },
  );

  test('RFC 9110 §15.5.6: another method is 405 with Allow', async () => {
    const { status, json, headers } = await service.send('/api/things/a', { method: 'PUT', body: {} });
    expect([status, json['error']]).toEqual([405, 'method_not_allowed']);
    expect(headers.allow!.split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS']);
  });

  test('RFC 9110 §9.3.7: OPTIONS says what a path allows', async () => {
    const { status, headers } = await service.send('/api/things', { method: 'OPTIONS' });
    expect([status, headers.allow]).toEqual([204, 'POST, OPTIONS']);
    expect((await service.send('/api/nothing', { method: 'OPTIONS' })).status).toBe(404);
  });

  test('a percent-encoded parameter arrives decoded, and one that cannot be decoded does no harm', async () => {
    expect((await service.send('/api/things/a%20b')).json['id']).toBe('a b');
    expect((await service.send('/api/things/%E0%A4%A')).status).toBe(200);
    expect((await service.send(`/api/things/${'x'.repeat(41)}`)).status).toBe(404);
  });
});

describe('CORS', () => {
  test('a preflight is 204 for any origin, without credentials', async () => {
    const { status, headers } = await service.send('/api/things', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.test', 'access-control-request-method': 'POST' },
    });
    expect(status).toBe(204);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(headers['access-control-allow-methods']).toContain('PATCH');
    for (const name of ['Authorization', 'Content-Type', 'If-Match', 'Idempotency-Key'])
      expect(headers['access-control-allow-headers']).toContain(name);
  });

  test.each(['/api/things/a', '/api/nothing', '/api/broken', '/api/things/a?access_token=x'])(
    '%s can be read by scripts, with its headers',
    async (path) => {
      const { headers } = await service.send(path);
      expect(headers['access-control-allow-origin']).toBe('*');
      for (const name of [
        'WWW-Authenticate',
        'ETag',
        'Link',
        'Location',
        'Retry-After',
        'X-Request-Id',
        'Consistency-Token',
        'RateLimit',
      ])
        expect(headers['access-control-expose-headers']).toContain(name);
    },
  );
});

describe('errors', () => {
  const fail = (how: string, headers = {}) => service.send(`/api/fail/${how}`, { method: 'POST', headers });

  test('E-A7: an outcome that is unknown is told apart, and only a request with an Idempotency-Key is asked to repeat itself', async () => {
    const plain = await fail('unknown');
    expect([plain.status, plain.json['error'], plain.headers['retry-after']]).toEqual([
      503,
      'outcome_unknown',
      undefined,
    ]);
    expect(plain.json['error_description']).toContain('read it before you send the request again');
    const keyed = await fail('unknown', { 'idempotency-key': '"key-1"' });
    expect([keyed.status, keyed.json['error'], keyed.headers['retry-after']]).toEqual([503, 'outcome_unknown', '1']);
    expect(keyed.json['error_description']).toContain('same Idempotency-Key');
  });

  test('RFC 6749 §5.2: a problem is error, error_description, details and request_id', async () => {
    const { status, json, headers } = await fail('problem');
    expect(status).toBe(409);
    expect(json).toEqual({
      error: 'slug_taken',
      error_description: "The slug 'a/b' is taken ? sorry",
      details: [{ path: 'slug', code: 'taken' }],
      request_id: headers['x-request-id'],
    });
  });

  test.each([
    ['conflict', 503, 'temporarily_unavailable'],
    ['claim', 503, 'temporarily_unavailable'],
    ['mismatch', 422, 'idempotency_key_reused'],
    ['large', 413, 'payload_too_large'],
    ['unavailable', 503, 'temporarily_unavailable'],
    ['ephemeral', 503, 'temporarily_unavailable'],
    ['documents', 503, 'temporarily_unavailable'],
    ['bug', 500, 'server_error'],
    ['text', 500, 'server_error'],
  ])('%s is %i %s and echoes nothing', async (how, status, error) => {
    const answer = await fail(how);
    expect([answer.status, answer.json['error']]).toEqual([status, error]);
    expect(answer.text).not.toContain('secret');
    expect(answer.headers['retry-after']).toBe(status === 503 ? '1' : undefined);
  });

  test('RFC 9110 §13.1.1: a lost race is 412 when the request named its version, unless it was over a claim', async () => {
    expect((await fail('conflict', { 'if-match': '"1"' })).json['error']).toBe('precondition_failed');
    expect((await fail('claim', { 'if-match': '"1"' })).json['error']).toBe('temporarily_unavailable');
  });

  test('the private cause of a 5xx goes to the log', async () => {
    await fail('bug');
    expect((service.errors.at(-1) as { err: Error }).err.message).toBe('secret detail of the bug');
  });

  test('RFC 9457 §3: a client that prefers problem documents gets one, with the same members', async () => {
    const { headers, json } = await fail('problem', { accept: 'application/problem+json' });
    expect(headers['content-type']).toBe('application/problem+json');
    expect(json).toMatchObject({ type: 'about:blank', title: 'Conflict', status: 409, error: 'slug_taken' });
    expect(json['detail']).toBe(json['error_description']);
    const preferred = 'application/json;q=0.5, application/problem+json';
    expect((await fail('problem', { accept: preferred })).headers['content-type']).toBe('application/problem+json');
    for (const accept of ['*/*', 'application/json', 'text/html', 'application/*'])
      expect((await fail('problem', { accept })).headers['content-type']).toBe('application/json');
  });
});

describe('request ids and the access log', () => {
  test('a sane X-Request-Id is kept, any other replaced', async () => {
    expect(
      (await service.send('/api/things/a', { headers: { 'x-request-id': 'abc-1.2:3_4' } })).headers['x-request-id'],
    ).toBe('abc-1.2:3_4');
    for (const id of ['a b', 'x'.repeat(65), '<script>', ''])
      expect(
        (await service.send('/api/things/a', { headers: { 'x-request-id': id } })).headers['x-request-id'],
      ).toMatch(/^req_/);
  });

  test('each request is one line, with the route template and without anything that the client sent', async () => {
    const before = service.lines.length;
    const token = await service.school.token({ client: 'client_7' });
    await service.send('/api/things/planted-id', {
      headers: { authorization: `Bearer ${token}`, 'x-request-id': 'r1' },
    });
    await service.send('/api/nothing?planted=query');
    await service.send('/api/things/a?planted=query', { headers: { authorization: 'Bearer planted.token' } });
    const lines = service.lines.slice(before);
    expect(lines[0]).toEqual({
      service: 'test',
      method: 'GET',
      route: '/api/things/{thing}',
      status: 200,
      duration_ms: 0,
      request_id: 'r1',
      school: 'school_1',
      client: 'client_7',
    });
    expect(lines.map((line) => (line as { status: number }).status)).toEqual([200, 404, 401]);
    expect(JSON.stringify(lines)).not.toMatch(/planted|query/);
    expect(JSON.stringify(lines)).not.toContain(token);
  });
});

test('a service that lists does not start without a secret for its cursors', () => {
  const lists = operation({
    ...base,
    id: 'listThings',
    method: 'GET',
    path: '/api/things',
    query: z.strictObject(listQuery),
    reply: listOf(item),
    handle: async () => ({}),
  });
  const { ports, school } = service;
  expect(() => mount({ service: 'test', operations: [lists], ports, trust: school.trust })).toThrow('cursorSecret');
});
