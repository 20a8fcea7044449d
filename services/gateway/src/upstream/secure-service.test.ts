import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Server, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { localhostCertificate } from '@lyceum/testkit';
import { edge } from '../testing/backend.ts';

describe('a service over HTTPS', () => {
  let server: Server;
  let cert: string;
  let port: number;
  let asked = 0;

  beforeAll(async () => {
    const made = await localhostCertificate();
    ({ cert } = made);
    server = createServer(made, (request, response) => {
      asked += 1;
      void request.pipe(response);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  const trusting = (host: string, authority: object) => edge([`https://${host}:${port}`], {}, authority);

  test('one whose certificate is trusted is asked, on kept connections as any other', async () => {
    const { url, reported, close } = await trusting('localhost', { authority: cert });
    for (const body of ['first', 'second'])
      expect(await (await fetch(url, { method: 'POST', body })).text()).toBe(body);
    const connections = await new Promise((tell) => server.getConnections((_error, count) => tell(count)));
    expect([connections, reported]).toEqual([1, []]);
    await close();
  });

  test.each([
    ['that nobody vouches for', 'localhost', false, 'self-signed certificate'],
    ['of another name', '127.0.0.1', true, "does not match certificate's altnames"],
  ])('RFC 9110 §4.3.4: one with a certificate %s hears nothing: 503, and the log says why', async (...given) => {
    const [, host, isTrusted, why] = given;
    const before = asked;
    const { url, reported, close } = await trusting(host, isTrusted ? { authority: cert } : {});
    const answer = await fetch(url, { method: 'POST', body: 'secret' });
    expect([answer.status, await answer.text()]).toEqual([503, 'The catalog service cannot be reached']);
    expect(reported.map(String)).toEqual([expect.stringContaining(why)]);
    expect(asked).toBe(before);
    await close();
  });
});
