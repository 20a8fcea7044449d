import { afterEach, describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Listener, listen } from './listener.ts';
import type { Handler } from '@lyceum/internal-api';

const good = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const nonsense = 'nonsense\r\n\r\n';

describe('bytes that cannot be read', () => {
  let listener: Listener;
  afterEach(() => listener.close(0));

  /** Sends the bytes, and `later` ones when something came; gives the answers once the listener has ended the connection. */
  async function answersTo(bytes: string, handler: Handler, later = ''): Promise<readonly string[]> {
    listener = await listen(handler, { host: '127.0.0.1', port: 0, setting: 'PORT' });
    const socket = connect(listener.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => void (text += part));
    socket.once('data', () => socket.write(later));
    socket.write(bytes);
    await new Promise((resolve) => socket.once('close', resolve));
    return text.split(/(?=HTTP\/1\.1 \d{3} )/);
  }

  test('RFC 9112 §9.3.2: do not take the place of an answer that a request before them waits for', async () => {
    const answers = await answersTo(
      good + nonsense,
      (_request, response) => void setTimeout(() => response.end('done'), 50),
    );
    expect(answers).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 OK\r\n[^]*done/)]);
  });

  test('RFC 9112 §9.3.2: are not answered in the midst of another answer', async () => {
    const inTwo: Handler = async (_request, response) => {
      response.write('first ');
      await sleep(100);
      response.end('last');
    };
    const answers = await answersTo(good, inTwo, nonsense);
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatch(/first [^]*last/);
  });

  test('RFC 9112 §6.3: end a request of an unknown transfer coding that was refused already, without a second answer', async () => {
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n';
    const answers = await answersTo(`${head}${good}`, (_request, response) => void response.writeHead(400).end('no'));
    expect(answers).toEqual([expect.stringMatching(/^HTTP\/1\.1 400 Bad Request\r\n[^]*no/)]);
  });

  test('RFC 9112 §7.1: are 400 where they are the body of a request that waits for it', async () => {
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
    const answers = await answersTo(`${head}zz\r\n`, async (request, response) => {
      for await (const _ of request);
      response.end('never');
    });
    expect(answers).toEqual([expect.stringMatching(/^HTTP\/1\.1 400 [^]*"error":"invalid_request"/)]);
  });

  test('RFC 9112 §3.2: a request without Host is 400 in the shape of every error, and reaches nobody', async () => {
    const answers = await answersTo(
      `GET / HTTP/1.1\r\n\r\n${good}`,
      (_request, response) => void response.end('reached'),
    );
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatch(/^HTTP\/1\.1 400 [^]*connection: close[^]*"error":"invalid_request"/i);
  });
});
