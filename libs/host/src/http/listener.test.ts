import { describe, expect, test } from '@jest/globals';
import { until } from '@lyceum/testkit';
import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Listener, listen } from './listener.ts';
import type { Handler } from '@lyceum/internal-api';
import { StartRefused } from '@lyceum/service';

const host = '127.0.0.1';
const at = { host, port: 0, setting: 'PORT' };

const get = (port: number, agent?: Agent): Promise<{ status: number; connection: string | undefined; text: string }> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ host, port, path: '/', agent: agent ?? false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, connection: response.headers.connection, text }),
      );
      response.on('error', reject);
    });
    outgoing.on('error', reject).end();
  });

/** Waits until a request has arrived. */
const busy = async (listener: Listener): Promise<void> => {
  while (listener.inFlight() === 0) await sleep(5);
};

describe('a listener', () => {
  test.each<[string, Handler]>([
    [
      'throws',
      () => {
        throw new Error('planned failure');
      },
    ],
    ['rejects', async () => Promise.reject(new Error('planned failure'))],
  ])('S17: a handler that %s ends its request with 500, and nothing else', async (_, handler) => {
    const uncaught: unknown[] = [];
    const note = (error: unknown) => void uncaught.push(error);
    const heard: unknown[] = [];
    process.on('unhandledRejection', note).on('uncaughtException', note);
    const listener = await listen(handler, { ...at, failed: (error) => void heard.push(error) });
    const { status } = await fetch(`http://127.0.0.1:${listener.port}/`);
    expect(status).toBe(500);
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('unhandledRejection', note).off('uncaughtException', note);
    await listener.close(0);
    expect([uncaught, heard]).toEqual([[], [new Error('planned failure')]]);
  });

  test('while draining, a new connection is served and told to close, and so is a request that was in flight', async () => {
    const listener = await listen((_request, response) => void setTimeout(() => response.end('done'), 300), at);
    const agent = new Agent({ keepAlive: true });
    const slow = get(listener.port, agent);
    await busy(listener);
    listener.drain();
    expect(await slow).toEqual({ status: 200, connection: 'close', text: 'done' });
    expect((await get(listener.port)).connection).toBe('close');
    expect(await listener.close(1_000)).toBe(0);
  });

  test('closing lets a slow request finish and ends idle keep-alive connections', async () => {
    const listener = await listen((request, response) => {
      if (request.url === '/') setTimeout(() => response.end('slow'), 200);
    }, at);
    const agent = new Agent({ keepAlive: true });
    await get(listener.port, agent);
    expect(await listener.connections()).toBe(1);
    const slow = get(listener.port);
    await busy(listener);
    const began = Date.now();
    expect(await listener.close(5_000)).toBe(0);
    expect((await slow).text).toBe('slow');
    expect(Date.now() - began).toBeLessThan(2_000);
    await expect(get(listener.port)).rejects.toThrow('ECONNREFUSED');
  });

  test('RFC 9112 §9.6: a request that is on its way when the listener closes is answered, on a connection of before and on a new one', async () => {
    const listener = await listen((_request, response) => void response.end('done'), at);
    const answered = (socket: Socket): Promise<string> =>
      new Promise((resolve) => {
        let text = '';
        socket.setEncoding('utf8').on('data', (part: string) => (text += part));
        socket.on('error', ({ message }) => resolve(message)).on('close', () => resolve(text));
      });
    const kept = connect(listener.port, host);
    await once(kept, 'connect');
    const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    kept.write(request);
    await once(kept, 'data');
    listener.drain();
    const fresh = connect(listener.port, host);
    const idle = connect(listener.port, host);
    const answers = [answered(kept), answered(fresh), answered(idle)];
    kept.write(request);
    fresh.write(request);
    const began = Date.now();
    expect(await listener.close(5_000)).toBe(0);
    expect(Date.now() - began).toBeLessThan(2_000);
    const [again, first, none] = await Promise.all(answers);
    for (const each of [again, first]) {
      expect(each).toMatch(/^HTTP\/1\.1 200 OK\r\nconnection: close\r\n/);
      expect(each).toContain('done');
    }
    expect(none).toBe('');
  });

  test('a request that outlasts the patience is cut off and counted', async () => {
    const listener = await listen(() => undefined, at);
    const hanging = get(listener.port);
    const cut = expect(hanging).rejects.toThrow('socket hang up');
    await busy(listener);
    expect(await listener.close(50)).toBe(1);
    await cut;
  });

  test('a port in use is refused with the setting to change', async () => {
    const first = await listen(() => undefined, at);
    const second = listen(() => undefined, { ...at, port: first.port });
    await expect(second).rejects.toThrow(StartRefused);
    await expect(second).rejects.toThrow(`Port ${first.port} on 127.0.0.1 is in use`);
    await first.close(0);
  });

  test('requests behind an answer that closes the connection are not carried out, and do not hold up the end', async () => {
    const carriedOut: string[] = [];
    const listener = await listen((request, response) => {
      carriedOut.push(request.url!);
      setTimeout(() => response.end('done'), 150);
    }, at);
    const socket = connect(listener.port, '127.0.0.1');
    socket.resume();
    const line = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
    socket.write(line('/1') + line('/2'));
    await busy(listener);
    listener.drain();
    socket.write(line('/3'));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(carriedOut).not.toContain('/3');
    await until(() => listener.inFlight() === 0);
    expect(await listener.close(1_000)).toBe(0);
  });

  test.each([
    ['that is no HTTP', 'nonsense\r\n\r\n', 400],
    ['whose headers are too large', `GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('a head %s is refused in the shape of every error', async (_, bytes, status) => {
    const listener = await listen(() => undefined, at);
    const socket = connect(listener.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => void (text += part));
    socket.write(bytes);
    await new Promise((resolve) => socket.once('close', resolve));
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(body)).toEqual({
      error: 'invalid_request',
      error_description: expect.any(String),
      request_id: expect.stringMatching(/^req_/),
    });
    await listener.close(0);
  });
});
