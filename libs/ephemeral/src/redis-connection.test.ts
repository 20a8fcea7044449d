import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Server, createServer } from 'node:tls';
import { promisify } from 'node:util';
import { type BackingServer, type FaultProxy, availability, startFaultProxy } from '@lyceum/testkit';
import { Redis } from 'ioredis';
import { type Ephemeral, EphemeralUnavailable } from './port.ts';
import type { RedisEphemeralOptions } from './redis-client.ts';
import { redisEphemeral } from './redis.ts';

const { engines, reason } = await availability('redis');
const [engine] = engines;
if (!engine) test.skip(`redisEphemeral’s connection: ${reason}`, () => undefined);
else describe(`redisEphemeral’s connection to ${engine.title}`, connectionTests);

function connectionTests(): void {
  let server: BackingServer;
  let proxy: FaultProxy;
  const opened: Ephemeral[] = [];
  beforeAll(async () => {
    server = await engine!.start();
    proxy = await startFaultProxy(server.url);
  }, 60_000);
  afterEach(async () => {
    proxy.restore();
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });
  afterAll(async () => {
    await proxy.stop();
    await server.stop();
  });
  const open = async (options: RedisEphemeralOptions): Promise<Ephemeral> => {
    const ephemeral = await redisEphemeral({ timeout: 500, prefix: randomUUID(), ...options });
    opened.push(ephemeral);
    return ephemeral;
  };

  test('one connection carries everything', async () => {
    const ephemeral = await open({ url: proxy.url });
    await Promise.all(Array.from({ length: 100 }, (_, count) => ephemeral.increment(`${count}`, 1_000)));
    expect(proxy.connections()).toBe(1);
  });

  test('connections that are cut come back by themselves, and no call is sent twice', async () => {
    const ephemeral = await open({ url: proxy.url });
    let answered = 0;
    for (let round = 0; round < 10; round += 1) {
      const calls = Array.from({ length: 20 }, () => ephemeral.increment('count', 60_000));
      proxy.drop();
      const results = await Promise.allSettled(calls);
      answered += results.filter(({ status }) => status === 'fulfilled').length;
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(EphemeralUnavailable);
      await reachable(ephemeral);
    }
    const { count } = await ephemeral.increment('count', 60_000);
    expect(count).toBeGreaterThan(answered);
    expect(count).toBeLessThanOrEqual(201);
  });

  test('a redeem whose answer is lost is not repeated behind the caller’s back', async () => {
    const ephemeral = await open({ url: proxy.url });
    await ephemeral.putIfAbsent('code', 'grant', 60_000);
    // So that the server knows the script.
    await ephemeral.redeem('other', 'used', 60_000);
    proxy.swallowAnswers();
    await expect(ephemeral.redeem('code', 'first', 60_000)).rejects.toThrow(EphemeralUnavailable);
    proxy.drop();
    proxy.restore();
    await reachable(ephemeral);
    expect(await ephemeral.redeem('code', 'second', 60_000)).toEqual({ state: 'redeemed', tombstone: 'first' });
  });

  test('while Redis is away calls fail at once and nothing is queued for later', async () => {
    const ephemeral = await open({ url: proxy.url, timeout: 30_000 });
    proxy.refuse();
    const began = Date.now();
    const results = await Promise.allSettled(
      Array.from({ length: 1_000 }, () => ephemeral.putIfAbsent('late', 'v', 60_000)),
    );
    expect(Date.now() - began).toBeLessThan(5_000);
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    proxy.restore();
    await reachable(ephemeral);
    expect(await ephemeral.get('late')).toBeUndefined();
  });

  test('a store opened before its server is there serves as soon as it is', async () => {
    proxy.refuse();
    const errors: unknown[] = [];
    const ephemeral = await open({ url: proxy.url, onError: (error) => errors.push(error) });
    await expect(ephemeral.get('a')).rejects.toThrow(EphemeralUnavailable);
    expect(errors.length).toBeGreaterThan(0);
    proxy.restore();
    await reachable(ephemeral);
    expect(await ephemeral.putIfAbsent('a', 'v', 1_000)).toBe(true);
  });

  test('password, user, database and TLS come from the URL, and no error names the password', async () => {
    const operator = new Redis(server.url);
    await operator.call('acl', 'setuser', 'lyceum', 'on', '>a b/c', '~*', '+@all');
    const tls = await encrypted(server.url);
    const at = (password: string): string => `rediss://lyceum:${encodeURIComponent(password)}@localhost:${tls.port}/3`;
    const trusted = { tls: { ca: tls.certificate } };
    const ephemeral = await open({ url: at('a b/c'), prefix: 'own', ...trusted });
    await reachable(ephemeral);
    expect(await ephemeral.putIfAbsent('a', 'v', 60_000)).toBe(true);
    await operator.select(3);
    expect(await operator.keys('own:*')).toHaveLength(1);

    const strange = await open({ url: at('a b/c') });
    await expect(strange.get('a')).rejects.toThrow(EphemeralUnavailable);
    const wrong = await open({ url: at('hunter2'), ...trusted });
    const problem = await wrong.get('a').catch((error: Error) => error);
    expect(problem).toBeInstanceOf(EphemeralUnavailable);
    expect(String(problem) + String((problem as Error).cause)).not.toContain('hunter2');
    await Promise.all(opened.splice(0).map((each) => each.close()));
    operator.disconnect();
    await tls.stop();
  });
}

/** Waits until the store answers again. */
async function reachable(ephemeral: Ephemeral): Promise<void> {
  for (const end = Date.now() + 10_000; Date.now() < end; await pause(10))
    if (
      await ephemeral.get('reachable').then(
        () => true,
        () => false,
      )
    )
      return;
  throw new Error('not reachable again');
}

/** TLS in front of a server, with a certificate made for this test. */
async function encrypted(url: string): Promise<{ port: number; certificate: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await promisify(execFile)('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert]);
  const certificate = await readFile(cert, 'utf8');
  const target = new URL(url);
  const server: Server = createServer({ key: await readFile(key), cert: certificate }, (socket) => {
    const inner = connect(Number(target.port), target.hostname);
    for (const each of [socket, inner]) each.on('error', () => [socket, inner].forEach((end) => end.destroy()));
    socket.pipe(inner).pipe(socket);
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  await rm(folder, { recursive: true });
  const stop = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  return { port: (server.address() as AddressInfo).port, certificate, stop };
}
