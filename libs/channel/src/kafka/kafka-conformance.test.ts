import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type BackingServer, availability } from '@lyceum/testkit';
import { kafkaChannel } from './kafka.ts';
import { testChannel } from '../testing.ts';

const { engines, reason } = await availability('kafka');
if (engines.length === 0) test.skip(`kafkaChannel: ${reason}`, () => undefined);
for (const engine of engines)
  describe(`${engine.title}:`, () => {
    let server: BackingServer;
    beforeAll(async () => void (server = await engine.start()), 90_000);
    afterAll(() => server.stop());
    testChannel(
      engine.title,
      (options) =>
        kafkaChannel({ ...options, brokers: server.url.split(','), clientId: 'test', prefix: `${randomUUID()}.` }),
      { runs: 5 },
    );
  });
