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

const policyOf = (objects: Objects, service: string) => objects.get(`NetworkPolicy/${service}`)!.spec;
const portsOf = (rule: { ports: { port: number | string }[] }) => rule.ports.map(({ port }) => port);
const small = valuesOf('small');

describeRendered('who talks to whom in deploy/charts', () => {
  test.each(sizes)('every pod is refused what its NetworkPolicy does not name (%s)', (size) => {
    const objects = platform(size);
    for (const { name, labels } of podsOf(objects)) {
      const own = ofKind(objects, 'NetworkPolicy').filter(({ spec }) => selects(spec.podSelector.matchLabels, labels));
      expect({ name, policies: own.map(({ spec }) => spec.policyTypes) }).toEqual({
        name,
        policies: [['Ingress', 'Egress']],
      });
      for (const { spec } of own)
        for (const rule of [...spec.ingress, ...spec.egress]) {
          // An empty list would mean everybody.
          expect((rule.from ?? rule.to).length).toBeGreaterThan(0);
          expect(rule.ports.length).toBeGreaterThan(0);
        }
    }
  });

  test('only the gateway is called from outside, and only at its public port', () => {
    const objects = platform('small');
    for (const { metadata, spec } of ofKind(objects, 'NetworkPolicy')) {
      const outside = (spec.ingress as { from: object[] }[]).flatMap(({ from }) =>
        from.filter((who) => !('podSelector' in who)),
      );
      const isEdge = metadata.name === 'gateway';
      expect(outside).toEqual(
        isEdge ? [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }] : [],
      );
      expect(spec.ingress.map(portsOf)).toEqual([['http']]);
    }
    expect(policyOf(platform('large'), 'auth').ingress.map(portsOf)).toEqual([['http'], ['operator']]);
  });

  test('the gateway does not call the database, and Kafka is called at the ports of its brokers', () => {
    const ports = (size: string, service: string) => policyOf(platform(size), service).egress.flatMap(portsOf);
    expect(ports('small', 'auth')).toEqual(expect.arrayContaining([27_017, 6379, 9092]));
    expect(ports('large', 'auth')).toContain(9094);
    expect(ports('small', 'gateway')).toEqual(expect.arrayContaining([6379, 9092]));
    expect(ports('small', 'gateway')).not.toContain(27_017);
  });

  test('addresses that strangers give do not lead auth into the cluster', () => {
    const rule = policyOf(platform('small'), 'auth').egress.find((each: never) => portsOf(each).includes(443));
    expect(rule.to).toEqual([
      { ipBlock: { cidr: '0.0.0.0/0', except: expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']) } },
    ]);
  });

  test('a destination that is taken away has no rule, and an empty one means nobody', () => {
    const values = ownValues(small, 'auth');
    const ports = (egress: Values) => policyOf(rendered('auth', { ...values, egress }), 'auth').egress.flatMap(portsOf);
    expect(ports({})).toContain(443);
    expect(ports({ clients: null })).not.toContain(443);
    expect(ports({ clients: { to: [], ports: [443] } })).not.toContain(443);
  });

  test.each(sizes)('every process has the address of every other service, and each leads to a Service (%s)', (size) => {
    const objects = platform(size);
    for (const { labels, spec } of podsOf(objects)) {
      const own = labels['app.kubernetes.io/name']!;
      const isTest = labels['app.kubernetes.io/component'] === 'test';
      const given = spec.containers[0].env.flatMap(({ name, value }): [string, string][] =>
        /^(SERVICE|[A-Z_]+_URL)$/.test(name) && name !== 'BASE_URL' && value !== undefined ? [[name, value]] : [],
      );
      const others = serviceNames.filter((name) => name !== own && name !== 'gateway');
      const wanted = others.map((name): [string, string] => [
        `${name.toUpperCase().replaceAll('-', '_')}_URL`,
        `http://${name}:8080`,
      ]);
      expect({ own, given }).toEqual({ own, given: isTest ? [['SERVICE', `http://${own}:8080`]] : wanted.toSorted() });
      for (const [, address] of given) {
        const ports: { port: number }[] = objects.get(`Service/${new URL(address).hostname}`)!.spec.ports;
        expect(ports.map(({ port }) => String(port))).toContain(new URL(address).port);
      }
    }
  });

  test.each(sizes)('every Service leads to the pods of one workload that answers requests (%s)', (size) => {
    const objects = platform(size);
    for (const { metadata, spec } of ofKind(objects, 'Service')) {
      const selected = podsOf(objects).filter(({ labels }) => selects(spec.selector, labels));
      expect({ name: metadata.name, count: selected.length }).toEqual({ name: metadata.name, count: 1 });
      expect(['http', 'all']).toContain(selected[0]!.labels['app.kubernetes.io/component']);
      const ports = (selected[0]!.spec.containers[0]['ports'] as { name: string }[]).map(({ name }) => name);
      for (const { targetPort } of spec.ports) expect(ports).toContain(targetPort);
      const isOperator = metadata.name.endsWith('-operator');
      const named = isOperator ? 'operator' : 'http';
      expect(spec.ports).toEqual([
        { name: named, port: isOperator ? 8081 : 8080, targetPort: named, appProtocol: 'http' },
      ]);
      expect(spec.publishNotReadyAddresses ?? false).toBe(isOperator);
    }
  });

  test('hosts lead to the gateway, by an HTTPRoute or by an Ingress', () => {
    const values = ownValues(small, 'tenancy');
    const route = rendered('tenancy', values).get('HTTPRoute/lyceum')!.spec;
    expect(route.hostnames).toEqual(['school.example', '*.school.example']);
    expect(route.rules).toEqual([{ backendRefs: [{ name: 'gateway', port: 8080 }] }]);
    const ingress = rendered('tenancy', { ...values, kind: 'Ingress', ingress: { certificate: 'hosts' } }).get(
      'Ingress/lyceum',
    )!.spec;
    expect(ingress.tls).toEqual([{ hosts: route.hostnames, secretName: 'hosts' }]);
    expect(ingress.rules.map(({ host }: { host: string }) => host)).toEqual(route.hostnames);
    expect(ingress.rules[0].http.paths[0].backend).toEqual({ service: { name: 'gateway', port: { name: 'http' } } });
    expect(platform('small').has('Service/gateway')).toBe(true);
    const own = { enabled: true, className: 'shared', certificates: ['hosts'] };
    const gateway = rendered('tenancy', { ...values, gateway: own }).get('Gateway/lyceum')!.spec;
    expect(gateway.listeners).toHaveLength(1);
  });

  test('Prometheus reads every role of a service, with the token of operators', () => {
    const { spec } = platform('large').get('PodMonitor/auth')!;
    const read = podsOf(platform('large')).filter(
      ({ labels }) => selects(spec.selector.matchLabels, labels) && labels['app.kubernetes.io/component'] !== 'test',
    );
    expect(read.map(({ name }) => name)).toEqual(['auth-consumer', 'auth-http', 'auth-relay']);
    expect(spec.podMetricsEndpoints).toEqual([
      {
        port: 'operator',
        path: '/metrics',
        interval: '30s',
        authorization: { credentials: { name: 'lyceum', key: 'OPERATOR_TOKEN' } },
      },
    ]);
    expect(ofKind(platform('small'), 'PodMonitor')).toEqual([]);
  });
});
