import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Service {
  image: string;
  ports: string[];
  volumes?: string[];
  healthcheck: { test: string[] };
}

const file = join(import.meta.dirname, '../../../docker-compose.yml');
const parsed = parse(readFileSync(file, 'utf8'), { strict: true, uniqueKeys: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const services = Object.entries(parsed.services);

describe('docker-compose.yml', () => {
  test('has the three servers of a cluster', () =>
    expect(Object.keys(parsed.services)).toEqual(['kafka', 'mongodb', 'redis']));

  test.each(services)('%s is pinned, healthy by a test of its own, and open to this machine only', (_, service) => {
    expect(service.image).toMatch(/^[a-z/]+:\d+\.\d+/);
    expect(service.healthcheck.test.length).toBeGreaterThan(1);
    for (const port of service.ports) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/);
  });

  test('every named volume is declared, and every declared one is used', () => {
    const used = services.flatMap(([, service]) => (service.volumes ?? []).map((volume) => volume.split(':')[0]));
    expect(used.toSorted()).toEqual(
      Object.keys(parsed.volumes)
        .filter((name) => used.includes(name))
        .toSorted(),
    );
    expect(Object.keys(parsed.volumes).toSorted()).toEqual(used.toSorted());
  });

  // Skipped where the machine has no compose command: then the parse above is the only check.
  const compose = ['docker compose', 'docker-compose'].find(
    (name) => spawnSync(`${name} version`, { shell: true }).status === 0,
  );
  (compose ? test : test.skip)('the compose command itself accepts it', () => {
    const { status, stderr } = spawnSync(`${compose} -f ${file} config -q`, { shell: true, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
