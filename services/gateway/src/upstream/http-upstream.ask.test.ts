import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RequestListener } from 'node:http';
import { type Backend, backend, edge } from '../testing/backend.ts';

describe('an operation of a service in another process', () => {
  let service: Backend;
  let between: Awaited<ReturnType<typeof edge>>;
  let answer: RequestListener;
  const seen: { method?: string; url?: string; headers: NodeJS.Dict<string | string[]> }[] = [];
  beforeEach(async () => {
    seen.length = 0;
    service = await backend((request, response) => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers });
      answer(request, response);
    });
    between = await edge([service.url]);
  });
  afterEach(async () => {
    await between.close();
    await service.die();
  });

  const headers = { host: 'one.example', 'x-school-id': 'school_1' };
  const read = { method: 'GET', path: '/api/courses', querystring: 'limit=1', headers };
  const create = { method: 'POST', path: '/api/courses', querystring: '', headers, json: { title: 'Töpfern' } };

  test('is called with its body and headers, and gives status, headers and body', async () => {
    answer = (request, response) => {
      response.writeHead(201, { 'Consistency-Token': 'token-1', 'Content-Type': 'application/json' });
      request.pipe(response);
    };
    const keyed = { ...create, headers: { ...headers, 'idempotency-key': '"key-1"' } };
    const response = await between.upstream.ask(keyed);
    expect(response).toMatchObject({ status: 201, body: create.json, headers: { 'consistency-token': 'token-1' } });
    const sent = { host: 'one.example', 'content-type': 'application/json', 'idempotency-key': '"key-1"' };
    expect(seen).toEqual([{ method: 'POST', url: '/api/courses', headers: expect.objectContaining(sent) }]);
  });

  test('is called with its query; an empty response has no body', async () => {
    answer = (_request, response) => void response.writeHead(204).end();
    expect(await between.upstream.ask(read)).toMatchObject({ status: 204, body: undefined });
    expect(seen[0]).toMatchObject({ method: 'GET', url: '/api/courses?limit=1' });
    expect(seen[0]!.headers).not.toHaveProperty('content-type');
  });

  test('reaches the service with no forged header', async () => {
    const forged = { ...read, headers: { ...headers, 'if-match': 'a\r\nx-school-id: school_2' } };
    await expect(between.upstream.ask(forged)).rejects.toThrow('cannot be passed on');
    expect([seen.length, between.reported.length]).toEqual([0, 1]);
  });

  test('whose response is not JSON is 502', async () => {
    answer = (_request, response) => void response.end('<html>');
    expect(await between.upstream.ask(read)).toMatchObject({ status: 502, body: undefined });
  });

  test('whose service breaks off is an error that is reported, and no POST is sent twice', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half');
      setTimeout(() => response.destroy(), 20);
    };
    await expect(between.upstream.ask(create)).rejects.toThrow('did not answer');
    expect([seen.length, between.reported.length]).toEqual([1, 1]);
  });

  test('whose service is away is an error', async () => {
    await service.die();
    await expect(between.upstream.ask(read)).rejects.toThrow('cannot be reached');
  });

  test('whose response is larger than what is kept is an error', async () => {
    answer = (_request, response) => void response.end(Buffer.alloc(17 * 1024 * 1024, ' '));
    await expect(between.upstream.ask(read)).rejects.toThrow('did not answer');
  });
});
