import { beforeAll, expect, test } from '@jest/globals';
import { Client, type Place, call, describeTopologies } from '@lyceum/testkit';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alertRules, notExported, observingQueries, readMetrics } from '../../testing/operating/observed-metrics.ts';

const page = await readFile(join(import.meta.dirname, '../../../../../docs/operations.md'), 'utf8');

// In separate processes: outages.long.test.ts, which has the address of each.
await describeTopologies(
  'alerts and dashboards',
  ({ open }) => {
    let system: Place;
    let metrics: string;
    beforeAll(async () => {
      ({ system } = await open());
      const client = await Client.register(system.baseUrl);
      const { access_token: token } = await client.tokens('owner@lantern.test', system.password, 'courses:read');
      expect((await call(`${system.baseUrl}/api/courses`, { token })).status).toBe(200);
      metrics = await readMetrics(system.operatorUrl, system.operatorToken);
    }, 300_000);

    test('read metrics only that the system exports', async () => {
      const queries = await observingQueries();
      expect(queries.length).toBeGreaterThan(60);
      expect(notExported(queries, [metrics])).toEqual([]);
    });

    test('leave no alarm of a service out', async () => {
      const raised = [...metrics.matchAll(/^lyceum_alarm\{[^}]*name="(\w+)"/gm)].map(([, name]) => name!);
      const explained = [...page.matchAll(/^\| `(\w+)` +\| /gm)].map(([, name]) => name!);
      expect(explained).toEqual(expect.arrayContaining([...raised, 'domain_proofs_doubted']));
      const alarms = [...raised, 'domain_proofs_doubted'];
      expect(new Set(alarms).size).toBeGreaterThan(5);
      const expressions = (await alertRules()).map(({ expr }) => expr).join('\n');
      const silent = alarms.filter((name) => !expressions.includes(`lyceum_alarm{name="${name}"}`));
      expect(silent).toEqual([]);
    });

    test('expect a relay of each service that has events to publish, and of no other', async () => {
      const servicesIn = (name: string) =>
        [
          ...new Set([...metrics.matchAll(new RegExp(`^${name}\\{service="(\\w+)"`, 'gm'))].map(([, each]) => each)),
        ].toSorted();
      const silent = servicesIn('lyceum_lane_head').filter(
        (service) => !servicesIn('lyceum_relay_lag_seconds').includes(service),
      );
      const { expr } = (await alertRules()).find(({ alert }) => alert === 'LyceumRelayAbsent')!;
      expect(expr).toContain(`lyceum_lane_head{service!="${silent.join('|')}"}`);
    });
  },
  'one',
);
