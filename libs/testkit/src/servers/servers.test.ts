import { afterAll, describe, expect, test } from '@jest/globals';
import { availability } from './availability.ts';
import type { EngineKind, BackingServer } from './backing-server.ts';

for (const kind of ['redis', 'redis-cluster', 'mongodb', 'kafka'] as EngineKind[]) {
  const { engines } = await availability(kind);
  describe.each(engines)('$title', (engine) => {
    let server: BackingServer;
    afterAll(() => server.stop());
    test('starts', async () => {
      server = await engine.start();
      expect(server.url).toMatch(/127/);
    }, 60_000);
    test('killed and restarted', async () => {
      await server.kill();
      await server.restart();
    }, 60_000);
  });
}
