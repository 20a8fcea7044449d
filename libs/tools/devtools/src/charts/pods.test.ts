import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Container,
  type Objects,
  describeRendered,
  ofKind,
  platform,
  podsOf,
  selects,
  sizes,
} from './rendered.ts';

const root = join(import.meta.dirname, '../../../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** A constant of libs/host/src/boot/shutdown.ts, milliseconds. */
const millisecondsOf = (name: string): number => {
  const found = new RegExp(`^const ${name} = ([\\d_]+);$`, 'm').exec(read('libs/host/src/boot/shutdown.ts'));
  return Number(found![1]!.replaceAll('_', ''));
};

const workloadsOf = (objects: Objects) =>
  podsOf(objects).filter(({ labels }) => labels['app.kubernetes.io/component'] !== 'test');
const valueOf = ({ env }: Container, name: string) => env.find((each) => each.name === name)?.value;
const mebibytes = (quantity: string) => Number.parseInt(quantity, 10) * (quantity.endsWith('Gi') ? 1024 : 1);

describeRendered('pods of deploy/charts', () => {
  test.each(sizes)('meet Pod Security restricted, with a root that nobody writes to (%s)', (size) => {
    for (const { name, spec } of podsOf(platform(size))) {
      expect({ name, spec }).toMatchObject({
        name,
        spec: {
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 10_001,
            runAsGroup: 10_001,
            seccompProfile: { type: 'RuntimeDefault' },
          },
        },
      });
      for (const field of ['hostNetwork', 'hostPID', 'hostIPC', 'initContainers'])
        expect(spec).not.toHaveProperty(field);
      for (const container of spec.containers)
        expect(container['securityContext']).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          runAsNonRoot: true,
          capabilities: { drop: ['ALL'] },
        });
      const kinds = (spec.volumes ?? []).flatMap(({ name: _name, ...source }) => Object.keys(source));
      for (const kind of kinds) expect(['emptyDir', 'configMap', 'persistentVolumeClaim']).toContain(kind);
      for (const { emptyDir } of spec.volumes ?? [])
        if (emptyDir) expect(emptyDir).toEqual({ sizeLimit: expect.stringMatching(/^\d+(Mi|Gi)$/) });
    }
  });

  test.each(sizes)('say what they need, and give three quarters of their memory to the heap (%s)', (size) => {
    for (const { name, spec } of podsOf(platform(size)))
      for (const container of spec.containers) {
        const { requests, limits } = container.resources;
        expect({ name, requests }).toEqual({
          name,
          requests: { cpu: expect.anything(), memory: expect.any(String), 'ephemeral-storage': expect.any(String) },
        });
        expect(limits).toEqual({ memory: expect.any(String), 'ephemeral-storage': expect.any(String) });
        if (container.name !== 'app') continue;
        const heap = Math.floor(mebibytes(limits['memory']!) * 0.75);
        expect(valueOf(container, 'NODE_OPTIONS')).toBe(`--max-old-space-size=${heap}`);
      }
  });

  test.each(sizes)('are asked for their own state only, and never ended while engines are away (%s)', (size) => {
    for (const { spec } of workloadsOf(platform(size))) {
      const [{ startupProbe, livenessProbe, readinessProbe, lifecycle }] = spec.containers;
      expect(startupProbe).toMatchObject({ httpGet: { path: '/livez', port: 'http' } });
      expect(livenessProbe).toMatchObject({ httpGet: { path: '/livez', port: 'http' } });
      expect(readinessProbe).toMatchObject({ httpGet: { path: '/readyz', port: 'http' } });
      expect(lifecycle).toBeUndefined();
    }
  });

  test.each(sizes)('have longer to end than a process takes at most (%s)', (size) => {
    for (const { name, spec } of workloadsOf(platform(size))) {
      const drain = Number(valueOf(spec.containers[0], 'DRAIN_MS'));
      const longest = Math.max(
        drain + millisecondsOf('patience') + millisecondsOf('closing'),
        millisecondsOf('altogether'),
      );
      expect({ name, seconds: spec.terminationGracePeriodSeconds! - longest / 1000 > 5 }).toEqual({
        name,
        seconds: true,
      });
      if (/-(consumer|relay)$/.test(name)) expect(drain).toBe(0);
    }
    expect(workloadsOf(platform('small')).some(({ spec }) => valueOf(spec.containers[0], 'DRAIN_MS') === '10000')).toBe(
      true,
    );
  });

  test.each(sizes)('have images that are pinned (%s)', (size) => {
    for (const { spec } of podsOf(platform(size)))
      for (const { image } of spec.containers)
        expect(image).toMatch(/lyceum-[a-z0-9-]+(:(?!latest$)[\w.-]+|@sha256:[0-9a-f]{64})$/);
  });

  test.each(sizes)('get settings that docs/settings.md has, and secrets only from the Secret (%s)', (size) => {
    const rows = [...read('docs/settings.md').matchAll(/^\| `([A-Z0-9_]+)`.*$/gm)];
    const documented = rows.map(([, name]) => name!);
    const secret = rows.flatMap(([row, name]) => (/; secret\s*\|$/.test(row) ? [name!] : []));
    expect(secret).toContain('SERVICE_TOKEN');
    for (const { name, spec } of workloadsOf(platform(size))) {
      const { env } = spec.containers[0];
      expect(new Set(env.map((each) => each.name)).size).toBe(env.length);
      for (const { name: variable, value, valueFrom } of env) {
        expect([...documented, 'NODE_OPTIONS']).toContain(variable);
        const key = valueFrom && { secretKeyRef: expect.objectContaining({ name: 'lyceum', key: variable }) };
        if (secret.includes(variable))
          expect({ name, variable, value, valueFrom }).toEqual({ name, variable, valueFrom: key });
        else expect({ name, variable, value, valueFrom }).toEqual({ name, variable, value: expect.any(String) });
      }
    }
  });

  test('of the gateway, which strangers reach, get no key and no database', () => {
    const names = (service: string) =>
      workloadsOf(platform('small'))
        .find(({ name }) => name === `${service}-http`)!
        .spec.containers[0].env.map(({ name }) => name);
    expect(names('auth')).toEqual(expect.arrayContaining(['KEY_ENCRYPTION_KEY', 'MONGODB_URL']));
    for (const name of ['KEY_ENCRYPTION_KEY', 'KEY_ENCRYPTION_KEY_PREVIOUS', 'MONGODB_URL'])
      expect(names('gateway')).not.toContain(name);
  });

  test.each(sizes)('are spread over zones and nodes, by the labels of their own workload (%s)', (size) => {
    for (const { name, labels, spec } of workloadsOf(platform(size))) {
      const spread = spec['topologySpreadConstraints'] as {
        topologyKey: string;
        labelSelector: { matchLabels: object };
      }[];
      expect(spread.map(({ topologyKey }) => topologyKey)).toEqual([
        'topology.kubernetes.io/zone',
        'kubernetes.io/hostname',
      ]);
      for (const { labelSelector } of spread)
        expect({ name, selected: selects(labelSelector.matchLabels as Record<string, string>, labels) }).toEqual({
          name,
          selected: true,
        });
    }
  });

  test.each(sizes)('have no hook but helm test, and no Secret is made (%s)', (size) => {
    for (const { kind, metadata } of platform(size).values()) {
      expect(kind).not.toBe('Secret');
      const hooks = Object.keys(metadata.annotations ?? {}).filter((name) => name.startsWith('helm.sh/hook'));
      if (kind !== 'Pod') expect(hooks).toEqual([]);
      else expect(metadata.annotations!['helm.sh/hook']).toBe('test');
    }
    expect(ofKind(platform(size), 'Job')).toEqual([]);
  });
});
