import { expect, test } from '@jest/globals';
import {
  type Objects,
  type Values,
  describeRendered,
  ofKind,
  ownValues,
  platform,
  podsOf,
  rendered,
  selects,
  serviceNames,
  sizes,
  valuesOf,
} from './rendered.ts';

const deployments = (objects: Objects) => ofKind(objects, 'Deployment');
const names = (objects: Objects, kind: string) => ofKind(objects, kind).map(({ metadata }) => metadata.name);
const large = valuesOf('large');
const auth = ownValues(large, 'auth');

const groups = [{ topic: 'school.events', group: 'auth.members.school' }];
const scaledByLag: Values = { ...auth, consumer: { replicas: 2, autoscaling: { enabled: true, groups } } };

describeRendered('workloads of deploy/charts', () => {
  test.each(sizes)('go on while they are replaced, and never two on one directory (%s)', (size) => {
    for (const { metadata, spec } of deployments(platform(size))) {
      const files = (spec.template.spec.volumes as { name: string }[]).some(({ name }) => name === 'files');
      const rolling = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } };
      expect({ name: metadata.name, strategy: spec.strategy }).toEqual({
        name: metadata.name,
        strategy: files ? { type: 'Recreate' } : rolling,
      });
    }
  });

  test.each(sizes)('have a disruption budget of their own where they have several pods (%s)', (size) => {
    const objects = platform(size);
    const scaled = new Map(
      ofKind(objects, 'HorizontalPodAutoscaler').map(({ metadata, spec }) => [metadata.name, spec.minReplicas]),
    );
    const several = deployments(objects).filter(
      ({ metadata, spec }) => (spec.replicas ?? scaled.get(metadata.name)) > 1,
    );
    const budgets = ofKind(objects, 'PodDisruptionBudget');
    expect(budgets.map(({ metadata }) => metadata.name)).toEqual(several.map(({ metadata }) => metadata.name));
    for (const { metadata, spec } of budgets) {
      expect(spec).toMatchObject({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
      const selected = podsOf(objects).filter(({ labels }) => selects(spec.selector.matchLabels, labels));
      expect(selected.map(({ name }) => name)).toEqual([metadata.name]);
    }
    expect(budgets.length === 0).toBe(size === 'laptop');
  });

  test.each(sizes)('leave their number to what scales them, and only to that (%s)', (size) => {
    const objects = platform(size);
    const scaled = names(objects, 'HorizontalPodAutoscaler');
    const unnumbered = deployments(objects).filter(({ spec }) => spec.replicas === undefined);
    expect(unnumbered.map(({ metadata }) => metadata.name)).toEqual(scaled);
    for (const { metadata, spec } of ofKind(objects, 'HorizontalPodAutoscaler')) {
      expect(spec.scaleTargetRef).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', name: metadata.name });
      expect(spec.maxReplicas).toBeGreaterThan(spec.minReplicas);
    }
    expect(scaled.length).toBe(size === 'large' ? serviceNames.length : 0);
  });

  test('are one for each role, or one for all of a service', () => {
    expect(names(platform('laptop'), 'Deployment')).toEqual(
      serviceNames.map((name) => (name === 'gateway' ? 'gateway-http' : name)).toSorted(),
    );
    const roleOf = (objects: Objects, name: string) =>
      (
        objects.get(`Deployment/${name}`)!.spec.template.spec.containers[0].env as { name: string; value: string }[]
      ).find((each) => each.name === 'ROLE')?.value;
    for (const role of ['http', 'consumer', 'relay']) expect(roleOf(platform('small'), `auth-${role}`)).toBe(role);
    expect(roleOf(platform('laptop'), 'auth')).toBeUndefined();
    expect(roleOf(platform('small'), 'gateway-http')).toBeUndefined();
  });

  test('of consumers are scaled by KEDA where that is asked for', () => {
    const objects = rendered('auth', scaledByLag);
    expect(objects.get('Deployment/auth-consumer')!.spec).not.toHaveProperty('replicas');
    const { spec } = objects.get('ScaledObject/auth-consumer')!;
    expect(spec).toMatchObject({ scaleTargetRef: { name: 'auth-consumer' }, minReplicaCount: 2, maxReplicaCount: 8 });
    expect(spec.triggers).toEqual([
      {
        type: 'kafka',
        metadata: {
          bootstrapServers: large['global'].lyceum.settings.KAFKA_BROKERS,
          topic: 'school.events',
          consumerGroup: 'auth.members.school',
          lagThreshold: '500',
          offsetResetPolicy: 'earliest',
          ensureEvenDistributionOfPartitions: 'true',
          tls: 'enable',
          sasl: 'scram_sha512',
        },
        authenticationRef: { name: 'auth-consumer' },
      },
    ]);
    expect(objects.has('TriggerAuthentication/auth-consumer')).toBe(true);
    expect(names(platform('large'), 'ScaledObject')).toEqual([]);
  });

  test('are replaced when a setting changes, and when the operator says that the Secret has', () => {
    const template = (values: Values) =>
      JSON.stringify(rendered('auth', values).get('Deployment/auth-http')!.spec.template);
    const before = template(auth);
    expect(template({ ...auth, settings: { LOG_LEVEL: 'debug' } })).not.toBe(before);
    const secret = { revision: 2 };
    expect(template({ ...auth, global: { lyceum: { ...auth['global'].lyceum, secret } } })).not.toBe(before);
  });

  test('get whole numbers as they were written', () => {
    const objects = rendered('auth', { ...auth, settings: { SIGNING_KEY_SECONDS: 7_776_000 } });
    expect(objects.get('Deployment/auth-http')!.spec.template.spec.containers[0].env).toContainEqual({
      name: 'SIGNING_KEY_SECONDS',
      value: '7776000',
    });
  });

  test('run the image by digest where one is given', () => {
    const digest = `sha256:${'ab'.repeat(32)}`;
    const { containers } = rendered('auth', { ...auth, image: { digest, tag: '2.0.0' } }).get('Deployment/auth-http')!
      .spec.template.spec;
    expect(containers[0].image).toBe(`registry.example/lyceum/lyceum-auth@${digest}`);
  });
});
