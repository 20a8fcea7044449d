import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type HttpsServer, startHttpsServer } from '../testing/test-egress.ts';
import type { EgressOptions, EgressRequest } from './egress.ts';
import { guardedEgress } from './guarded-egress.ts';

let server: HttpsServer;
beforeAll(async () => {
  server = await startHttpsServer();
});
afterAll(() => server.close());

const loopback = async () => [{ address: '127.0.0.1', family: 4 }];
const trusting = (more: EgressOptions = {}) =>
  guardedEgress({ allow: [server.host], authority: server.authority, resolve: loopback, ...more });
const ask = (more: Partial<EgressRequest> = {}): EgressRequest => ({
  url: `${server.origin}/doc.json`,
  mostBytes: 100,
  timeout: 5_000,
  ...more,
});
const answering = (text: string, headers: Record<string, string> = {}, status = 200) => {
  server.serve = (_, response) => void response.writeHead(status, headers).end(text);
};

describe('the way out', () => {
  test('gives status, headers and text of an https answer', async () => {
    answering('{"a":1}', { 'content-type': 'application/json', 'cache-control': 'max-age=60' });
    const { status, headers, text } = await trusting().send(ask());
    expect([status, headers['content-type'], headers['cache-control'], text]).toEqual([
      200,
      'application/json',
      'max-age=60',
      '{"a":1}',
    ]);
  });

  test('sends a body', async () => {
    let got = '';
    server.serve = (request, response) => {
      request.setEncoding('utf8').on('data', (part: string) => (got += part));
      request.on('end', () => response.end(request.method));
    };
    const { text } = await trusting().send(ask({ method: 'POST', body: 'token=ä' }));
    expect([text, got]).toEqual(['POST', 'token=ä']);
  });

  test.each(['http://localhost/x', 'ftp://localhost/x', 'https://user@localhost/x', 'https://user:word@localhost/x'])(
    'does not go to %s',
    (url) => expect(trusting().send(ask({ url }))).rejects.toMatchObject({ fault: 'scheme' }),
  );

  test.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '[::1]', '[::ffff:8.8.8.8]', '[fd00::1]'])(
    'does not go to the special address %s, nor looks its name up',
    async (host) => {
      const resolve = () => Promise.reject(new Error('asked for a name'));
      await expect(guardedEgress({ resolve }).send(ask({ url: `https://${host}/` }))).rejects.toMatchObject({
        fault: 'address',
      });
    },
  );

  test('does not go to a name that has a special address among its addresses', async () => {
    const resolve = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const asked = server.asked.length;
    await expect(trusting({ allow: [], resolve }).send(ask())).rejects.toMatchObject({ fault: 'address' });
    expect(server.asked).toHaveLength(asked);
  });

  test('looks a name up once and goes to what it found: a name that changes its mind gains nothing', async () => {
    answering('ok');
    let looked = 0;
    const resolve = async () => {
      looked += 1;
      return looked === 1 ? loopback() : [{ address: '192.0.2.1', family: 4 }];
    };
    expect((await trusting({ resolve }).send(ask())).text).toBe('ok');
    expect(looked).toBe(1);
  });

  test('the allowance is for one port of one name', async () => {
    const [name, port] = server.host.split(':') as [string, string];
    await expect(trusting({ allow: [`${name}:1`] }).send(ask())).rejects.toMatchObject({ fault: 'address' });
    await expect(trusting().send(ask({ url: `https://127.0.0.1:${port}/` }))).rejects.toMatchObject({
      fault: 'address',
    });
  });

  test('a name that nobody knows is refused', async () => {
    for (const resolve of [async () => [], () => Promise.reject(new Error('ENOTFOUND'))])
      await expect(trusting({ resolve }).send(ask())).rejects.toMatchObject({ fault: 'name' });
  });

  test('a certificate that nobody vouches for is refused, whatever the environment says', async () => {
    answering('ok');
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const strict = guardedEgress({ allow: [server.host], resolve: loopback });
      await expect(strict.send(ask())).rejects.toMatchObject({ fault: 'connection' });
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });

  test('a redirect is given back, not followed', async () => {
    answering('', { location: `${server.origin}/elsewhere` }, 302);
    const asked = server.asked.length;
    expect((await trusting().send(ask())).status).toBe(302);
    expect(server.asked.length - asked).toBe(1);
  });

  test('an answer that is too long is not taken, whether it says so or not', async () => {
    answering('a'.repeat(101), { 'content-length': '101' });
    await expect(trusting().send(ask())).rejects.toMatchObject({ fault: 'size' });
    server.serve = (_, response) => {
      response.writeHead(200);
      for (let at = 0; at < 11; at += 1) response.write('a'.repeat(10));
      response.end();
    };
    await expect(trusting().send(ask())).rejects.toMatchObject({ fault: 'size' });
    answering('a'.repeat(100));
    expect((await trusting().send(ask())).text).toHaveLength(100);
  });

  test('an answer that is compressed or no UTF-8 is not taken', async () => {
    answering('x', { 'content-encoding': 'gzip' });
    await expect(trusting().send(ask())).rejects.toMatchObject({ fault: 'encoding' });
    server.serve = (_, response) => void response.end(Buffer.from([0xff, 0xfe, 0xfd]));
    await expect(trusting().send(ask())).rejects.toMatchObject({ fault: 'encoding' });
  });

  test('the time limit is for name, connection and answer together', async () => {
    const forever = () => new Promise<never>(() => undefined);
    await expect(trusting({ resolve: forever }).send(ask({ timeout: 50 }))).rejects.toMatchObject({ fault: 'timeout' });
    server.serve = () => undefined;
    await expect(trusting().send(ask({ timeout: 300 }))).rejects.toMatchObject({ fault: 'timeout' });
    server.serve = (_, response) => void response.write('{');
    await expect(trusting().send(ask({ timeout: 300 }))).rejects.toMatchObject({ fault: 'timeout' });
  });

  test('a server that hangs up is a failed connection', async () => {
    server.serve = (request) => void request.socket.destroy();
    await expect(trusting().send(ask())).rejects.toMatchObject({ fault: 'connection' });
  });
});
