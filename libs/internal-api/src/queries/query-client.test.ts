import { afterEach, describe, expect, test } from '@jest/globals';
import { type ServiceQuery, serviceQueryClient } from './query-client.ts';
import { serviceQueryServer } from './query-server.ts';
import { type Listener, listen, notingTracer } from '@lyceum/testkit';
import { behind } from '../internal-api.ts';

const token = 'service-token-of-this-test';

describe('a question between services', () => {
  const listeners: Listener[] = [];
  afterEach(async () => {
    for (const each of listeners.splice(0)) await each.close();
  });

  const answer = async ({ kind, id }: ServiceQuery) => (kind === 'name' && id === 'a1' ? { name: 'Ada' } : undefined);
  const started = { answer };
  const nobody = () => undefined;
  async function open(tracer?: ReturnType<typeof notingTracer>) {
    const service = (name: string) => (name === 'auth' ? started : undefined);
    const door = serviceQueryServer({ token, service, requestId: () => 'req_1', report: () => undefined, tracer });
    const outside = behind(door, (_request, response) => void response.writeHead(418).end());
    const listener = await listen(outside);
    listeners.push(listener);
    return `http://127.0.0.1:${listener.port}`;
  }
  const peer =
    (url: string, given = token) =>
    (name: string) => ({ name, urls: [url], token: given });

  test('is answered by a sibling in the same process', async () => {
    const ask = serviceQueryClient((name) => (name === 'auth' ? started : undefined), nobody);
    expect(await ask('auth', { kind: 'name', id: 'a1' })).toEqual({ name: 'Ada' });
    expect(() => ask('school', { kind: 'name' })).toThrow(/cannot be asked/);
  });

  test('is answered over HTTP by another process, by the next instance when one is away', async () => {
    const ask = serviceQueryClient(nobody, (name) => ({ name, urls: ['http://127.0.0.1:9', origin], token }));
    const origin = await open();
    expect(await ask('auth', { kind: 'name', id: 'a1' })).toEqual({ name: 'Ada' });
    expect(await ask('auth', { kind: 'name', id: 'nobody' })).toBeUndefined();
    await expect(ask('school', { kind: 'name' })).rejects.toThrow(/no answer/);
  });

  test('goes to another instance behind the same address after an answer that is none', async () => {
    const connections = new Map<object, number>();
    const listener = await listen((request, response) => {
      const known = connections.get(request.socket) ?? connections.size + 1;
      connections.set(request.socket, known);
      response.writeHead(known === 1 ? 503 : 200).end(JSON.stringify({ answer: { from: known } }));
    });
    listeners.push(listener);
    const ask = serviceQueryClient(nobody, peer(`http://127.0.0.1:${listener.port}`));
    await expect(ask('auth', { kind: 'name' })).rejects.toThrow(/no answer/);
    expect(await ask('auth', { kind: 'name' })).toEqual({ from: 2 });
  });

  test('is a span at both ends where something is traced, and none where a process asks by itself', async () => {
    const [here, there] = [notingTracer(), notingTracer()];
    const url = await open(there);
    const ask = serviceQueryClient(nobody, (name) => ({ name, urls: [url], token, tracer: here }));
    await ask('auth', { kind: 'name', id: 'a1' });
    expect([here.spans, there.spans]).toEqual([[], []]);
    await here.begin('request', { kind: 'server' }).run(() => ask('auth', { kind: 'name', id: 'a1' }));
    const [, client] = here.spans;
    expect(client).toMatchObject({ name: 'POST auth', kind: 'client', isEnded: true });
    const route = '/internal/ask/{service}';
    expect(there.spans).toMatchObject([
      { name: `POST ${route}`, kind: 'server', parent: client!.traceparent, isEnded: true },
    ]);
    expect(there.spans[0]!.attributes).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'http.route': route,
    });
    const failing = here.begin('request', { kind: 'server' }).run(() => ask('school', { kind: 'name' }));
    await expect(failing).rejects.toThrow(/no answer/);
    expect(here.spans.at(-1)).toMatchObject({ name: 'POST school', failure: expect.any(Error) });
  });

  test('is nobody else’s to ask: without the service token the door is not there', async () => {
    const origin = await open();
    await expect(serviceQueryClient(nobody, peer(origin, 'wrong'))('auth', { kind: 'name', id: 'a1' })).rejects.toThrow(
      /no answer/,
    );
    const get = await fetch(`${origin}/internal/ask/auth`, { headers: { 'x-service-token': token } });
    expect(get.status).toBe(418);
  });

  test.each([
    ['not JSON', 'x'],
    ['no kind', '{}'],
    ['null', 'null'],
    ['too long', JSON.stringify({ kind: 'x'.repeat(17_000) })],
  ])('that is %s is refused', async (_, body) => {
    const headers = { 'x-service-token': token };
    const response = await fetch(`${await open()}/internal/ask/auth`, { method: 'POST', headers, body });
    expect(response.status).toBe(400);
  });
});
