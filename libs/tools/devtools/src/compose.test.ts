import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Service {
  profiles?: string[];
  image: string;
  command?: string[];
  build?: { dockerfile: string; args: { SERVICE: string } };
  environment?: Record<string, unknown>;
  ports?: string[];
  volumes?: string[];
  mem_limit?: string;
  healthcheck?: { test: string[] };
}

const file = join(import.meta.dirname, '../../../../docker-compose.yml');
const parsed = parse(readFileSync(file, 'utf8'), { strict: true, uniqueKeys: true, merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const services = Object.entries(parsed.services);

describe('docker-compose.yml', () => {
  test('has the three servers of a cluster', () =>
    expect(services.flatMap(([name, { profiles }]) => (profiles ? [] : [name]))).toEqual([
      'kafka',
      'mongodb',
      'redis',
    ]));

  test('has every service as an app, with an address for each and one secret for all', () => {
    const apps = services.filter(([, { profiles }]) => profiles?.includes('apps'));
    const started = apps.map(([, { build }]) => build!.args.SERVICE);
    const all = readdirSync(join(file, '../services')).filter((name) => name !== 'all-in-one');
    expect([...new Set(started)].toSorted()).toEqual(all.toSorted());
    for (const [, { environment }] of apps) {
      for (const name of all.filter((each) => each !== 'gateway'))
        expect(environment).toHaveProperty(`${name.toUpperCase().replaceAll('-', '_')}_URL`, `http://${name}:8080`);
      expect(environment).toHaveProperty('SERVICE_TOKEN');
    }
  });

  test('builds the image of each app from the one Dockerfile, under the version of the packages', () => {
    const { version } = JSON.parse(readFileSync(join(file, '../package.json'), 'utf8')) as { version: string };
    const apps = services.flatMap(([, service]) => (service.build ? [service] : []));
    expect(apps.length).toBeGreaterThan(8);
    for (const { image, build } of apps) {
      expect(image).toBe(`lyceum-${build!.args.SERVICE}:${version}`);
      expect(build!.dockerfile).toBe('deploy/docker/Dockerfile');
    }
  });

  test('S17: has no secret that everybody can read: who starts it gives both tokens', () => {
    for (const name of ['SERVICE_TOKEN', 'OPERATOR_TOKEN'])
      for (const [, { environment }] of services.filter(([, { profiles }]) => profiles?.includes('apps')))
        expect(environment![name]).toMatch(new RegExp(`^\\$\\{${name}:\\?[^}]+\\}$`));
  });

  test.each(services)('%s is pinned, healthy by a test of its own, and open to this machine only', (_, service) => {
    expect(service.image).toMatch(/^[a-z/-]+:\d+\.\d+/);
    // Nobody waits for the store of traces, and its image has no program that could ask it.
    if (!service.profiles?.includes('otel')) expect(service.healthcheck!.test.length).toBeGreaterThan(1);
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/);
  });

  test('every named volume is declared, and every declared one is used', () => {
    const mounted = services.flatMap(([, service]) => (service.volumes ?? []).map((volume) => volume.split(':')[0]!));
    const used = new Set(mounted.filter((source) => !source.startsWith('.')));
    expect(Object.keys(parsed.volumes).toSorted()).toEqual([...used].toSorted());
  });

  test('Kafka keeps its data on its volume, and its heap within its memory', () => {
    const { environment, volumes, mem_limit: limit } = parsed.services['kafka']!;
    expect(volumes).toEqual([`kafka:${environment!['KAFKA_LOG_DIRS']}`]);
    expect({ limit, heap: environment!['KAFKA_HEAP_OPTS'] }).toEqual({ limit: '1g', heap: '-Xms256m -Xmx512m' });
  });

  // Skipped where the machine has no compose command: then the parse above is the only check.
  const compose = ['docker compose', 'docker-compose'].find(
    (name) => spawnSync(`${name} version`, { shell: true }).status === 0,
  );
  (compose ? test : test.skip)('the compose command itself accepts it', () => {
    const given = { SERVICE_TOKEN: 'of-this-test', OPERATOR_TOKEN: 'of-this-test' };
    const { status, stderr } = spawnSync(`${compose} -f ${file} config -q`, {
      shell: true,
      encoding: 'utf8',
      env: { ...process.env, ...given },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
