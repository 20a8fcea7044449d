import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { auth, catalog, school } from '../testing/catalog.ts';
import { type McpTestServer, openMcpTestServer } from '../testing/mcp-test-server.ts';

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

describe('the HTTP side of the MCP server', () => {
  let edge: McpTestServer;
  beforeEach(async () => {
    edge = await openMcpTestServer({ auth, catalog, school });
  });
  afterEach(() => edge.close());

  const metadata = () => `resource_metadata="${edge.school.issuer}/.well-known/oauth-protected-resource/mcp"`;

  test.each(['GET', 'DELETE', 'PUT', 'PATCH'])(
    'MCP 2026-07-28 transports: %s is 405 and names POST',
    async (method) => {
      const response = await fetch(edge.url, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
      expect(await response.json()).toMatchObject({ error: 'method_not_allowed' });
    },
  );

  test.each(['http://evil.example', 'https://evil.example', 'null', 'nonsense'])(
    'MCP 2025-11-25 transports: a page of %s may not speak to a server on loopback, with a token or without',
    async (origin) => {
      const plain = await edge.post(list, { origin });
      expect([plain.status, plain.body['error']]).toEqual([403, 'access_denied']);
      expect((await edge.post(list, { origin, authorization: 'Bearer nonsense' })).status).toBe(403);
      expect((await fetch(edge.url, { method: 'OPTIONS', headers: { origin } })).status).toBe(403);
    },
  );

  test('a page of this machine may, and reads the challenge', async () => {
    const answer = await edge.post(list, { origin: 'http://localhost:6274', 'mcp-protocol-version': '2025-11-25' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
  });

  test('a preflight needs no token and allows what clients send', async () => {
    const asked = { origin: 'http://localhost:6274', 'access-control-request-headers': 'mcp-param-region, x-evil' };
    const response = await fetch(edge.url, { method: 'OPTIONS', headers: asked });
    const allowed = response.headers.get('access-control-allow-headers') ?? '';
    expect(response.status).toBe(204);
    for (const name of [
      'Authorization',
      'MCP-Protocol-Version',
      'Mcp-Method',
      'Mcp-Name',
      'Last-Event-ID',
      'mcp-param-region',
    ])
      expect(allowed).toContain(name);
    expect(allowed).not.toContain('x-evil');
  });

  test('RFC 6750 §3.1: a bad token is 401 on any method of the protocol, never silently anonymous', async () => {
    const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    for (const body of [list, { ...list, method: 'initialize', params: initialize }, { ...list, method: 'ping' }]) {
      const answer = await edge.post(body, { authorization: 'Bearer nonsense' });
      expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_token']);
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
      expect(answer.headers.get('www-authenticate')).toContain(metadata());
    }
  });

  test('RFC 8707 §2: tokens for the MCP server and for the whole school are good, those for another part are not', async () => {
    const { issuer } = edge.school;
    const status = async (audience: string) =>
      (await edge.legacy('tools/list', {}, await edge.school.token({ audience }))).status;
    expect(await status(`${issuer}/mcp`)).toBe(200);
    expect(await status(issuer)).toBe(200);
    expect(await status(`${issuer}/`)).toBe(200);
    expect(await status(`${issuer}/api/courses`)).toBe(401);
    expect(await status('https://other.example')).toBe(401);
  });

  test('RFC 6750 §3.1: a token without the scope is 403 with all scopes of the call, before anything is done', async () => {
    const token = await edge.school.token({ scopes: ['courses:read'] });
    const args = { name: 'publish_course', arguments: { id: 'course-1', idempotency_key: 'key-00000001' } };
    const answer = await edge.modern('tools/call', args, { token });
    expect([answer.status, answer.body['error']]).toEqual([403, 'insufficient_scope']);
    expect(answer.headers.get('www-authenticate')).toContain('scope="courses:read courses:write"');
    expect(answer.headers.get('www-authenticate')).toContain(metadata());
    expect(edge.seen).toEqual([]);
  });

  test('RFC 9700 §4.3.2: a token in the query string is refused', async () => {
    const response = await fetch(`${edge.url}?access_token=x`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(400);
  });

  test('a body that is no JSON is -32700, one of another type 415, one that is too large 413', async () => {
    const parse = await edge.post('{');
    expect([parse.status, parse.body['error'].code]).toEqual([400, -32700]);
    expect((await edge.post('x', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await edge.post('{}', { 'content-encoding': 'gzip' })).status).toBe(415);
    const large = await edge.post(JSON.stringify({ ...list, params: { pad: 'x'.repeat(300_000) } }));
    expect([large.status, large.body['error']]).toEqual([413, 'payload_too_large']);
  });

  test('RFC 9112 §9.3: a refusal ends the connection only where the body was not read', async () => {
    const token = await edge.school.token({ scopes: ['account:read'] });
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'publish_course', arguments: { id: 'x' } },
    };
    const [unparsable, unscoped] = [await edge.post('{'), await edge.post(call, { authorization: `Bearer ${token}` })];
    const unread = await edge.post(call, { authorization: 'Bearer nonsense', 'content-type': 'text/plain' });
    const said = [unparsable, unscoped, unread].map(({ status, headers }) => [status, headers.get('connection')]);
    expect(said).toEqual([
      [400, 'keep-alive'],
      [403, 'keep-alive'],
      [401, 'close'],
    ]);
  });

  test('MCP 2025-03-26 basic: batches are answered in that revision only, and hold 20 messages at most', async () => {
    const batch = [list, { ...list, id: 2, method: 'prompts/list' }];
    expect((await edge.post(batch, { 'mcp-protocol-version': '2025-03-26' })).status).toBe(200);
    const newer = await edge.post(batch, { 'mcp-protocol-version': '2025-11-25' });
    expect([newer.status, newer.body['error'].code]).toEqual([400, -32600]);
    const long = await edge.post(Array.from({ length: 21 }, () => list));
    expect([long.status, long.body['error'].code]).toEqual([400, -32600]);
    expect((await edge.post([])).body['error'].code).toBe(-32600);
  });

  test('S10: every message of a batch is counted, and a call that looks many things up for as many', async () => {
    const left = async (body: unknown) => {
      const { status, headers } = await edge.post(body, { 'mcp-protocol-version': '2025-03-26' });
      return [status, Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])];
    };
    const [, before] = (await left(list)) as [number, number];
    expect(await left(Array.from({ length: 20 }, (_, id) => ({ ...list, id })))).toEqual([200, before - 20]);
    const ids = Array.from({ length: 50 }, (_, at) => `course-${at}`);
    const lookUp = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'lookup_courses', arguments: { ids } },
    };
    expect(await left(lookUp)).toEqual([200, before - 30]);
    const batch = Array.from({ length: 20 }, (_, id) => ({ ...lookUp, id }));
    const answers = [await left(batch), await left(batch)];
    expect(answers.at(-1)![0]).toBe(429);
  });

  test('MCP 2026-07-28 transports: an accepted notification is 202 without a body', async () => {
    const answer = await edge.post(
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { 'mcp-protocol-version': '2025-11-25' },
    );
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  test('MCP 2026-07-28 versioning: unknown versions, methods and mismatched headers get their own codes', async () => {
    const unknown = await edge.modern('school/close');
    expect([unknown.status, unknown.body['error'].code]).toEqual([404, -32601]);
    const ping = await edge.modern('ping');
    expect([ping.status, ping.body['error'].code]).toEqual([404, -32601]);
  });

  test('requests beyond the rate are 429 and say when to come back, each person for themselves', async () => {
    const busy = await openMcpTestServer({}, { limitFactor: 0.01 });
    const answers = [];
    for (let count = 0; count < 4; count += 1) answers.push(await busy.legacy('ping'));
    const last = answers.at(-1)!;
    expect(answers[0]!.headers.get('ratelimit-policy')).toBe('"mcp";q=3;w=60');
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(last.body['error']).toBe('rate_limited');
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await busy.legacy('ping', {}, await busy.school.token())).status).toBe(200);
    await busy.close();
  });

  test('a client that goes away costs its answer and nothing else', async () => {
    for (let count = 0; count < 20; count += 1) {
      const controller = new AbortController();
      const asked = fetch(edge.url, { method: 'POST', body: JSON.stringify(list), signal: controller.signal });
      setTimeout(() => controller.abort(), count % 4);
      await asked.then((response) => response.text()).catch(() => undefined);
    }
    expect((await edge.legacy('ping')).status).toBe(200);
    expect(edge.errors).toEqual([]);
  });
});
