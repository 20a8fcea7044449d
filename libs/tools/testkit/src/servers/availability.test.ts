import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { availability, startKafka, startRedis } from './availability.ts';
import { NotOwned } from './backing-server.ts';
import { dockerAnswers } from './containers/docker-engine.ts';
import { engineVersions } from './local/engine-cache.ts';

/** A machine without anything: every suite sees what it sets itself. */
const bare = { PATH: '', LYCEUM_ENGINES: '/nowhere', DOCKER_HOST: 'unix:///nowhere', REQUIRE_BACKING_SERVICES: '' };
const given = {
  TEST_MONGODB_URL: '',
  TEST_MONGODB_INDEXED_URL: '',
  TEST_KAFKA_BROKERS: '',
  TEST_REDIS_URL: '',
  TEST_REDIS_CLUSTER_URL: '',
  TEST_S3_URL: '',
};
const before = { ...process.env };
beforeEach(() => void Object.assign(process.env, bare, given));
afterEach(() => {
  for (const name of Object.keys({ ...bare, ...given }))
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
});

describe('what a machine can serve', () => {
  test.each(['mongodb', 'mongodb-indexed', 'kafka', 'redis', 'redis-cluster', 's3'] as const)(
    'nothing for %s, and why',
    async (kind) => {
      const { engines, reason } = await availability(kind);
      expect(engines).toEqual([]);
      expect(reason).toMatch(new RegExp(`no server for ${kind}: .*npm run engines`));
    },
  );

  test('nothing at all is an error where backing services are required', async () => {
    process.env['REQUIRE_BACKING_SERVICES'] = '1';
    await expect(availability('kafka')).rejects.toThrow('no server for kafka');
    await expect(startRedis()).rejects.toThrow('no server for redis');
  });

  test('a given server is used, and is not ours to kill', async () => {
    process.env['TEST_KAFKA_BROKERS'] = 'one:9092,two:9092';
    const server = await startKafka({ version: '4' });
    expect(server).toMatchObject({ url: 'one:9092,two:9092', origin: 'given', nodes: 2 });
    await expect(server.kill()).rejects.toThrow(NotOwned);
    await expect(server.pause()).rejects.toThrow(NotOwned);
    await server.stop();
  });

  test('a Docker engine that answers goes before the programs of the machine', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lyceum-docker-'));
    const socket = join(folder, 'docker.sock');
    const engine = createServer((request, response) => response.writeHead(request.url === '/_ping' ? 200 : 404).end());
    await new Promise<void>((resolve) => void engine.listen(socket, resolve));
    process.env['DOCKER_HOST'] = `unix://${socket}`;
    const { engines } = await availability('mongodb');
    engine.close();
    rmSync(folder, { recursive: true });
    expect(engines.map(({ origin }) => origin)).toEqual(['container', 'container', 'container']);
    expect(engines.map(({ title }) => title)).toContain('MongoDB 8.0, a replica set');
    expect(await dockerAnswers()).toBe(false);
  });
});

test('the installer puts the versions into the cache that the test kit looks for', () => {
  const installer = readFileSync(join(import.meta.dirname, '../../../devtools/src/engines.mjs'), 'utf8');
  for (const [name, versions] of Object.entries(engineVersions))
    expect(installer).toContain(`${name}: [${versions.map((version) => `'${version}'`).join(', ')}]`);
});

test('testcontainers loads on this Node.js', async () => {
  const { GenericContainer } = await import('testcontainers');
  expect(new GenericContainer('redis:7.4')).toBeInstanceOf(GenericContainer);
}, 60_000);
